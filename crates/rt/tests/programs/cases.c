/* One case per name: `cases NAME`. Exit status 0 means that the program saw what it expects. */
#include "provoke_abi.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) do { if (!(condition)) { fprintf(stderr, "line %d: %s\n", __LINE__, #condition); exit(9); } } while (0)

void *__provoke_x_mmap(void *, size_t, int, int, int, off_t);
int __provoke_x_munmap(void *, size_t);
void *__provoke_x_realloc(void *, size_t);
void __provoke_x_free(void *);
int __provoke_x_memcmp(const void *, const void *, size_t);
int __provoke_x_ungetc(int, void *);
int __provoke_x_fseek(void *, long, int);
size_t __provoke_x_strlen(const char *);
int __provoke_x___uflow(FILE *);

static char buffer[65536];

static long fill(void) { return __provoke_x_read(0, buffer, sizeof buffer - 1); }

/* A branch on `value == 0`, where value is an int with a label. */
static void branch_on_zero(int value, uint32_t label, uint32_t site) {
    uint32_t condition = __provoke_binary(OP(EQ, 32), label, 0, (uint32_t)value, 0, value == 0);
    if (condition) __provoke_branch(condition, site, value == 0);
}

static void compare_strings(void) {
    buffer[fill()] = 0;
    __provoke_thread.call_site = 7;
    int result = __provoke_x_strcmp(buffer, "magic");
    CHECK(result == strcmp(buffer, "magic"));
    branch_on_zero(result, result_of(__provoke_x_strcmp), 1);
}

static void compare_memory(void) {
    fill();
    int result = __provoke_x_memcmp(buffer, "\x7f""ELF", 4);
    branch_on_zero(result, result_of(__provoke_x_memcmp), 1);
}

static void string_length(void) {
    buffer[fill()] = 0;
    __provoke_thread.call_site = 3;
    CHECK(__provoke_x_strlen(buffer) == strlen(buffer));
}

static void characters(void) {
    int c, count = 0;
    while ((c = __provoke_x_getc(stdin)) != EOF) {
        uint32_t label = result_of(__provoke_x_getc);
        CHECK(label != 0);
        if (count % 5000 == 4999) {
            CHECK(__provoke_x_ungetc(c, stdin) == c);
            CHECK(__provoke_x_getc(stdin) == c);
            CHECK(result_of(__provoke_x_getc) == label);
        }
        count++;
    }
    CHECK(count == 20000);
    CHECK(__provoke_x_fseek(stdin, 12345, SEEK_SET) == 0);
    c = __provoke_x_getc(stdin);
    branch_on_zero(c, result_of(__provoke_x_getc), 1);
}

/* Pushes back other bytes than were read, then reads on. */
static void pushed_back(void) {
    for (int i = 0; i < 3; i++) CHECK(__provoke_x_getc(stdin) != EOF && result_of(__provoke_x_getc));
    CHECK(__provoke_x_ungetc('Z', stdin) == 'Z' && __provoke_x_ungetc('Y', stdin) == 'Y');
    CHECK(__provoke_x_getc(stdin) == 'Y' && !result_of(__provoke_x_getc));
    CHECK(__provoke_x_getc(stdin) == 'Z' && !result_of(__provoke_x_getc));
    int c = __provoke_x_getc(stdin);
    branch_on_zero(c, result_of(__provoke_x_getc), 1);
}

static void inlined_characters(void) {
    int c, labelled = 0;
    while ((c = stdin->_IO_read_ptr >= stdin->_IO_read_end ? __provoke_x___uflow(stdin)
                                                           : *(unsigned char *)stdin->_IO_read_ptr++) != EOF) {
        if (result_of(__provoke_x___uflow) || __provoke_load(stdin->_IO_read_ptr - 1, 1, c)) labelled++;
    }
    CHECK(labelled == 20000);
}

static void unmodelled_reads(void) {
    char skipped[8192];
    CHECK(__provoke_x_getc(stdin) != EOF);
    uint32_t first = result_of(__provoke_x_getc);
    CHECK(fread(skipped, 1, 6000, stdin) == 6000);
    CHECK(__provoke_x_getc(stdin) != EOF);
    uint32_t next = result_of(__provoke_x_getc);
    CHECK(first && next && first != next);
    CHECK(__provoke_x_fread(skipped, 1, 8000, stdin) == 8000);
    branch_on_byte((unsigned char *)skipped + 7999, 'x', 1);
}

static void lines(void) {
    char line[64];
    __provoke_thread.call_site = 5;
    CHECK(__provoke_x_fgets(line, sizeof line, stdin) == line);
    branch_on_byte((unsigned char *)line, 'k', 1);
    CHECK(__provoke_x_fgets(line, sizeof line, stdin) == line);
    branch_on_byte((unsigned char *)line, 'v', 2);
}

static void symbolic(void) {
    char key[4] = "abcd", other[2] = "xy";
    __provoke_x_provoke_make_symbolic(key, 4, "key");
    __provoke_x_provoke_make_symbolic(other, 2, "key");
    branch_on_byte((unsigned char *)key + 3, 'd', 1);
    branch_on_byte((unsigned char *)other, 'd', 2);
}

static void mapped(void) {
    unsigned char *map = __provoke_x_mmap(0, 20000, PROT_READ, MAP_PRIVATE, 0, 0);
    CHECK(map != MAP_FAILED);
    branch_on_byte(map + 19999, 'q', 1);
    CHECK(__provoke_x_munmap(map, 20000) == 0);
    unsigned char *again = mmap(map, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(__provoke_load(again, 1, 0) == 0);
}

static int table[16];

static void regions(void) {
    struct { uint64_t address, size, id; } globals[] = {{(uint64_t)table, sizeof table, 42}};
    __provoke_globals(globals, 1);
    fill();
    uint32_t label = __provoke_unary(OP(ZEXT, 64), __provoke_load(buffer, 1, (unsigned char)buffer[0]), 0, (unsigned char)buffer[0], (unsigned char)buffer[0]);
    char *block = __provoke_x_malloc(300);
    uint64_t index = (unsigned char)buffer[0] % 10, low = (unsigned char)buffer[0];
    uint32_t in_block = __provoke_binary(OP(ADD, 64), label, 0, low, (uint64_t)block, (uint64_t)block + low);
    __provoke_address(in_block, 1, block + low, 1, 0);
    __provoke_address(in_block, 1, block + low, 1, 0);
    uint32_t in_table = __provoke_binary(OP(ADD, 64), label, 0, low, (uint64_t)table - low, (uint64_t)table);
    __provoke_address(in_table, 2, table, 4, 1);
    (void)index;
}

static void moved_blocks(void) {
    fill();
    char *block = __provoke_x_malloc(16);
    __provoke_memmove(block, buffer, 16);
    memcpy(block, buffer, 16);
    block = __provoke_x_realloc(block, 1 << 20);
    CHECK(__provoke_load(block, 1, (unsigned char)block[0]) != 0);
    __provoke_x_free(block);
    CHECK(__provoke_load(block, 1, 0) == 0);
}

static void stale(void) {
    fill();
    buffer[0] ^= 1;
    CHECK(__provoke_load(buffer, 4, *(uint32_t *)buffer) != 0);
    CHECK(__provoke_load(buffer, 1, (unsigned char)buffer[0]) == 0);
}

/* A value of 128 bits, stored, loaded whole and in parts. */
static void wide(void) {
    fill();
    uint64_t words[2] = {0, 1};
    unsigned __int128 value = *(unsigned __int128 *)buffer, sum = value + ((unsigned __int128)1 << 64);
    uint32_t label = __provoke_load(buffer, 16, (uint64_t)value);
    uint32_t added = __provoke_wide_binary(OP(ADD, 128), label, __provoke_constant(128, words), (uint64_t)sum);
    static union { unsigned __int128 whole; uint64_t halves[2]; unsigned char bytes[16]; } memory;
    memory.whole = sum;
    __provoke_store(&memory, 16, added, (uint64_t)sum);
    CHECK(__provoke_load(&memory, 16, (uint64_t)sum) == added);
    branch_on_byte(memory.bytes + 9, 'x', 1);
    uint32_t high = __provoke_load(memory.halves + 1, 8, memory.halves[1]);
    CHECK(high != 0);
    __provoke_branch(__provoke_binary(OP(EQ, 64), high, 0, memory.halves[1], 5, 0), 2, 0);
    CHECK(__provoke_load(&memory, 16, (uint64_t)sum) == added);
}

static uint32_t label_of_variadic(int count, ...) {
    static uint64_t save[(4 * 432 + 8) / 8];
    __provoke_variadic_entry(save);
    va_list list;
    va_start(list, count);
    __provoke_variadic_start(list, save);
    /* What va_arg reads: the second register argument, and the first one in memory. */
    char *in_register = (char *)list->reg_save_area + list->gp_offset, *in_memory = list->overflow_arg_area;
    uint32_t first = __provoke_load(in_register, 4, *(uint32_t *)in_register);
    uint32_t sixth = __provoke_load(in_memory, 8, *(uint64_t *)in_memory);
    va_end(list);
    return first && sixth ? first : 0;
}

static void variadic(void) {
    fill();
    int value = (unsigned char)buffer[0];
    uint32_t label = __provoke_unary(OP(ZEXT, 32), __provoke_load(buffer, 1, value), 0, value, value);
    uint64_t word = *(uint64_t *)(buffer + 8);
    uint32_t wide = __provoke_load(buffer + 8, 8, word);
    __provoke_variadic_argument(8, 4, label, value);
    __provoke_variadic_argument(176, 8, wide, word);
    __provoke_thread.has_variadic = 1;
    CHECK(label_of_variadic(1, value, 0L, 0L, 0L, 0L, word) == label);
    /* Without labels from the caller nothing of the last call is left. */
    CHECK(label_of_variadic(1, value, 0L, 0L, 0L, 0L, 0L) == 0);
}

static void loop_to_cap(void) {
    fill();
    uint32_t label = __provoke_unary(OP(ZEXT, 64), __provoke_load(buffer, 1, (unsigned char)buffer[0]), 0, (unsigned char)buffer[0], (unsigned char)buffer[0]);
    uint64_t value = (unsigned char)buffer[0];
    for (uint64_t i = 1; i < 3000000; i++) {
        uint64_t next = value * 3;
        label = __provoke_binary(OP(18, 64), label, 0, value, 3, next);
        value = next;
    }
    CHECK(label == 0);
    CHECK(__provoke_load(buffer, 1, (unsigned char)buffer[0]) == 0);
}

static void *in_thread(void *argument) {
    uint64_t value = (uint64_t)argument;
    uint32_t label = __provoke_unary(OP(ZEXT, 64), __provoke_load(buffer, 1, (unsigned char)buffer[0]), 0, (unsigned char)buffer[0], (unsigned char)buffer[0]);
    uint64_t low = (unsigned char)buffer[0];
    for (int i = 0; i < 20000; i++) {
        uint64_t c = value * 1000000 + i + 1;
        uint32_t sum = __provoke_binary(OP(ADD, 64), label, 0, low, c, low + c);
        CHECK(sum != 0);
        uint32_t equal = __provoke_binary(OP(ULT, 64), sum, 0, low + c, 1u << 31, low + c < (1u << 31));
        __provoke_branch(equal, (uint32_t)value, low + c < (1u << 31));
    }
    return NULL;
}

static void threads(void) {
    fill();
    pthread_t ids[4];
    for (uint64_t i = 0; i < 4; i++) CHECK(__provoke_x_pthread_create(&ids[i], NULL, in_thread, (void *)(i + 1)) == 0);
    for (int i = 0; i < 4; i++) pthread_join(ids[i], NULL);
}

/* Threads that nobody said anything of, while the first one goes on. */
static void unexpected_threads(void) {
    fill();
    pthread_t ids[4];
    for (uint64_t i = 0; i < 4; i++) CHECK(pthread_create(&ids[i], NULL, in_thread, (void *)(i + 1)) == 0);
    in_thread((void *)5);
    for (int i = 0; i < 4; i++) pthread_join(ids[i], NULL);
}

/* A thread returns what has a label. */
static void *returns_byte(void *unused) {
    (void)unused;
    __provoke_thread.results[0] = __provoke_load(buffer, 1, (unsigned char)buffer[0]);
    __provoke_thread.result_tag = (uint64_t)returns_byte;
    return (void *)(uint64_t)(unsigned char)buffer[0];
}

static void thread_result(void) {
    fill();
    pthread_t id;
    void *result;
    __provoke_thread.call_site = 4;
    CHECK(__provoke_x_pthread_create(&id, NULL, returns_byte, NULL) == 0);
    CHECK(pthread_join(id, &result) == 0 && (uint64_t)result == (unsigned char)buffer[0]);
}

static sigjmp_buf back;
static volatile int signals;

static void on_alarm(int number) {
    (void)number;
    uint32_t label = __provoke_load(buffer, 1, (unsigned char)buffer[0]);
    (void)label;
    if (++signals % 3 == 0) siglongjmp(back, 1);
}

static void interrupted(void) {
    fill();
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_NODEFER};
    sigaction(SIGPROF, &action, NULL);
    uint32_t label = __provoke_unary(OP(ZEXT, 64), __provoke_load(buffer, 1, (unsigned char)buffer[0]), 0, (unsigned char)buffer[0], (unsigned char)buffer[0]);
    uint64_t low = (unsigned char)buffer[0];
    static volatile uint64_t i;
    /* Signals as often as the kernel's clock allows, wherever they happen to hit: mostly inside the runtime. */
    struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &often, NULL);
    sigsetjmp(back, 1);
    while (signals < 60) {
        i = (i + 1) % 1000;
        __provoke_binary(OP(ADD, 64), label, 0, low, i, low + i);
    }
    setitimer(ITIMER_PROF, &never, NULL);
    CHECK(__provoke_binary(OP(ADD, 64), label, 0, low, 1u << 30, low + (1u << 30)) != 0);
}

static void many_children(void) {
    fill();
    for (int i = 0; i < 100; i++) {
        if (fork() == 0) {
            branch_on_byte((unsigned char *)buffer, (unsigned char)i, 50);
            exit(0);
        }
    }
    while (wait(NULL) > 0) {}
    branch_on_byte((unsigned char *)buffer, 'a', 1);
}

static void closed_descriptors(void) {
    fill();
    for (int i = 0; i < 100; i++) close(i);
    branch_on_byte((unsigned char *)buffer, 'a', 1);
}

static void leave_at_once(void) { fill(); branch_on_byte((unsigned char *)buffer, 'a', 1); __provoke_x__exit(0); }
static void abort_now(void) { fill(); branch_on_byte((unsigned char *)buffer, 'a', 1); abort(); }
static void exit_now(int number) { (void)number; exit(0); }
static void exit_in_handler(void) { fill(); branch_on_byte((unsigned char *)buffer, 'a', 1); signal(SIGUSR1, exit_now); raise(SIGUSR1); }
static void replace(void) { fill(); branch_on_byte((unsigned char *)buffer, 'a', 1); execl("/proc/self/exe", "cases", "none", NULL); }
static void none(void) {}

#define CASE(name) {#name, name}
static const struct { const char *name; void (*run)(void); } cases[] = {
    CASE(compare_strings), CASE(compare_memory), CASE(string_length), CASE(characters), CASE(pushed_back), CASE(inlined_characters),
    CASE(unmodelled_reads), CASE(lines), CASE(symbolic), CASE(mapped), CASE(regions), CASE(moved_blocks), CASE(stale), CASE(wide), CASE(variadic),
    CASE(loop_to_cap), CASE(threads), CASE(unexpected_threads), CASE(thread_result), CASE(interrupted), CASE(many_children), CASE(closed_descriptors),
    CASE(leave_at_once), CASE(abort_now), CASE(exit_in_handler), CASE(replace), CASE(none),
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(argv[1], cases[i].name)) { cases[i].run(); return 0; }
    return 8;
}

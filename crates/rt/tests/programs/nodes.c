/* Typical streams of operations on labelled values, timed by what the process itself used. */
#include "provoke_abi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned char buffer[1000000];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void report(const char *what, double since, double count) {
    printf("%-44s %7.1f ns\n", what, (now() - since) / count);
}

int main(void) {
    const int n = 1000000;
    double start = now();
    if (__provoke_x_read(0, buffer, n) != n) return 1;
    report("byte of a large read", start, n);

    start = now();
    for (int i = 0; i < n; i++) __provoke_load(buffer + i, 1, buffer[i]);
    report("load of a byte", start, n);

    start = now();
    for (int i = 0; i + 4 <= n; i += 4) __provoke_load(buffer + i, 4, *(uint32_t *)(buffer + i));
    report("load of four bytes of input, new node", start, n / 4);
    start = now();
    for (int i = 0; i + 4 <= n; i += 4) __provoke_load(buffer + i, 4, *(uint32_t *)(buffer + i));
    report("load of four bytes of input, again", start, n / 4);

    uint32_t first = __provoke_load(buffer, 1, buffer[0]);
    uint64_t value = buffer[0];
    uint32_t label = __provoke_unary(OP(ZEXT, 64), first, 0, value, value);
    uint32_t start_label = label;
    start = now();
    for (int i = 0; i < 2 * n; i++) {
        uint64_t next = value * 31;
        label = __provoke_binary(OP(18, 64), label, 0, value, 31, next);
        value = next;
    }
    report("operation, new node", start, 2 * n);
    label = start_label, value = buffer[0];
    start = now();
    for (int i = 0; i < 2 * n; i++) {
        uint64_t next = value * 31;
        label = __provoke_binary(OP(18, 64), label, 0, value, 31, next);
        value = next;
    }
    report("operation, known node", start, 2 * n);

    /* A hash over the input, its state in memory, as unoptimised code has it; then a branch. */
    uint32_t hash = 0, hash_label = 0;
    start = now();
    for (int i = 0; i < n; i++) {
        uint32_t byte = __provoke_load(buffer + i, 1, buffer[i]);
        uint32_t wide = __provoke_unary(OP(ZEXT, 32), byte, 0, buffer[i], buffer[i]);
        hash_label = __provoke_load(&hash, 4, hash);
        uint32_t sum_label = __provoke_binary(OP(ADD, 32), hash_label, wide, hash, buffer[i], hash + buffer[i]);
        hash += buffer[i];
        __provoke_store(&hash, 4, sum_label, hash);
        uint32_t condition = __provoke_binary(OP(ULT, 32), sum_label, 0, hash, 77, hash < 77);
        if (condition) __provoke_branch(condition, 1, hash < 77);
    }
    report("byte hashed in memory, with a branch", start, n);

    start = now();
    for (int i = 0; i < n; i++) branch_on_byte(buffer + i, 'x', 2);
    report("branch on a byte, new", start, n);
    start = now();
    for (int i = 0; i < n; i++) branch_on_byte(buffer + i, 'x', 2);
    report("branch on a byte, again", start, n);

    unsigned char *copy = malloc(n);
    memcpy(copy, buffer, n);
    start = now();
    for (int i = 0; i < 10; i++) __provoke_memmove(copy, buffer, n);
    report("labelled byte moved", start, 10.0 * n);
    start = now();
    for (int i = 0; i < 10; i++) __provoke_store(copy, n, 0, 0);
    report("byte cleared", start, 10.0 * n);
    start = now();
    for (int i = 0; i < 100; i++) __provoke_memmove(copy, copy + n / 2, n / 2);
    report("clean byte moved", start, 100.0 * n / 2);

    lseek(0, 0, SEEK_SET);
    start = now();
    for (int i = 0; i < n; i++) {
        __provoke_x_getc(stdin);
        __provoke_thread.result_tag = 0;
    }
    report("getc", start, n);
    rewind(stdin);
    start = now();
    for (int i = 0; i < n; i++) getc(stdin);
    report("getc without a model", start, n);
    return 0;
}

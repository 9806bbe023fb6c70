// The runtime of replay views: writes what went wrong into a file that the engine reads afterwards.
//
// The file is mapped, so what is in it survives every way in which the program can end, and closed descriptors don't
// matter. `crates/replay/src/layout.rs` is the other side of its format. Without the file the view works too: then
// AddressSanitizer's messages are all there is.
//
// Before `main` this uses nothing but system calls: it runs before AddressSanitizer has set itself up.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define FILE_VARIABLE "PROVOKE_REPORT="
#define MAGIC 0x796c7065722d7670ull
#define VERSION 1u
#define MOST_RECORDS 64u
#define MOST_FRAMES 64u
#define LONGEST_TEXT 8192u
#define SEEN_SLOTS 4096u

// The engine fills in all of it but what says otherwise.
struct header {
  uint64_t magic;
  uint32_t version;
  // By us: the first process of the run.
  uint32_t owner;
  uint32_t records_offset, records_capacity;
  // By us: bytes of records, records that count, records that found no room.
  uint32_t used, count, lost;
  // A bit for each check that is not to be reported.
  uint32_t silent_offset, silent_count;
  // Contents of the buffers that the program asks for by name.
  uint32_t buffers_offset, buffers_size;
  uint32_t coverage_offset, coverage_capacity;
  // By us: counters in use.
  uint32_t coverage_count;
  // By us: what stopped the first process was a violation.
  uint32_t stopped;
};

enum kind { MODULES = 1, CHECK, SANITIZER, SANITIZER_REPORT, ASSERTION, ABORT, FORMAT, ALLOCATION };

struct record {
  uint32_t size;
  uint32_t ready;
  uint32_t kind;
  uint32_t process;
  uint32_t check;
  uint32_t frames;
  uint32_t text;
  uint32_t is_write;
  uint64_t a, b;
  uint64_t pc, address, access_size;
  uint64_t frame[];
};

static struct header *header;
static size_t mapped;
static uint32_t counters;
static _Thread_local int busy;

// AddressSanitizer's interface; it calls us before we call it, so without it nothing of this is used.
#define SANITIZER_FUNCTION __attribute__((weak)) extern
SANITIZER_FUNCTION void *__asan_get_report_pc(void);
SANITIZER_FUNCTION void *__asan_get_report_address(void);
SANITIZER_FUNCTION int __asan_get_report_access_type(void);
SANITIZER_FUNCTION size_t __asan_get_report_access_size(void);
SANITIZER_FUNCTION const char *__asan_get_report_description(void);
SANITIZER_FUNCTION void __asan_poison_memory_region(void const volatile *, size_t);
SANITIZER_FUNCTION void __asan_set_error_report_callback(void (*)(const char *));
SANITIZER_FUNCTION int __sanitizer_get_module_and_offset_for_pc(void *, char *, size_t, void **);
SANITIZER_FUNCTION void __sanitizer_symbolize_pc(void *, const char *, char *, size_t);

// Counters of edges; in views with coverage only.
extern uint8_t __provoke_edges[] __attribute__((weak));
extern const uint32_t __provoke_edge_count __attribute__((weak));

static uint8_t *at(uint32_t offset) { return (uint8_t *)header + offset; }

static int is_inside(uint32_t offset, uint64_t size) { return offset + size <= mapped; }

static void map_counters(long fd) {
  if (!&__provoke_edge_count || __provoke_edge_count > header->coverage_capacity)
    return;
  // The array has pages of its own.
  size_t length = (__provoke_edge_count + 4095ul) & ~4095ul;
  long where = syscall(SYS_mmap, __provoke_edges, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                       (long)header->coverage_offset);
  if ((uint8_t *)where == __provoke_edges)
    counters = header->coverage_count = __provoke_edge_count;
}

static void open_file(const char *path) {
  long fd = syscall(SYS_open, path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return;
  long size = syscall(SYS_lseek, fd, 0L, SEEK_END);
  if (size >= (long)sizeof(struct header)) {
    long memory = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
    struct header *found = (struct header *)memory;
    if (memory != -1 && found->magic == MAGIC && found->version == VERSION) {
      header = found;
      mapped = (size_t)size;
      uint32_t nobody = 0;
      uint32_t process = (uint32_t)syscall(SYS_getpid);
      __atomic_compare_exchange_n(&header->owner, &nobody, process, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      map_counters(fd);
    }
  }
  syscall(SYS_close, fd);
}

// What `main` is given.
static int argument_count;
static char **arguments;

static void start(int argc, char **argv, char **environment) {
  argument_count = argc;
  arguments = argv;
  static const char name[] = FILE_VARIABLE;
  for (; environment && *environment; environment++) {
    size_t same = 0;
    while (name[same] && (*environment)[same] == name[same])
      same++;
    if (!name[same])
      return open_file(*environment + same);
  }
}

// Before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*const starter)(int, char **, char **) = start;

extern int __provoke_serve(void);

// Violations that this run has reported, by check and place.
static uint64_t seen[SEEN_SLOTS];

// A named piece of the input, as the engine has put it down: lengths of both, name, contents.
struct piece {
  uint32_t name_length, length;
  const char *name, *bytes;
};

// The piece at a place, and the place behind it; NULL if there is none.
static const char *next_piece(const char *next, struct piece *piece) {
  const char *end = (const char *)at(header->buffers_offset) + header->buffers_size;
  if (end - next < 8)
    return NULL;
  memcpy(&piece->name_length, next, 4);
  memcpy(&piece->length, next + 4, 4);
  piece->name = next + 8;
  if ((size_t)(end - piece->name) < (size_t)piece->name_length + piece->length)
    return NULL;
  piece->bytes = piece->name + piece->name_length;
  return piece->bytes + piece->length;
}

static const char *first_piece(void) {
  int is_there = header && is_inside(header->buffers_offset, header->buffers_size);
  return is_there ? (const char *)at(header->buffers_offset) : NULL;
}

// Arguments of the run take the places of those that the server was started with. The name of such a piece is a zero byte and the
// argument's number.
static void take_arguments(void) {
  struct piece piece;
  for (const char *next = first_piece(); next && (next = next_piece(next, &piece));) {
    uint32_t number;
    if (piece.name_length != 1 + sizeof number || piece.name[0] != 0)
      continue;
    memcpy(&number, piece.name + 1, sizeof number);
    if (number == 0 || number >= (uint32_t)argument_count)
      continue;
    // Arguments lie in memory that no allocator knows of.
    long memory = syscall(SYS_mmap, NULL, piece.length + 1ul, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    if (memory == -1)
      continue;
    memcpy((char *)memory, piece.bytes, piece.length);
    arguments[number] = (char *)memory;
  }
}

// The engine has set the file back for another run.
__attribute__((visibility("hidden"))) void __provoke_begin_run(void) {
  memset(seen, 0, sizeof seen);
  if (header) {
    header->owner = (uint32_t)getpid();
    header->coverage_count = counters;
  }
}

// Before the constructors of the program itself, which may read input, and behind that of the sanitizer.
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
__attribute__((constructor(100))) static void serve(void) {
  int is_new_run = __provoke_serve();
  if (is_new_run) {
    __provoke_begin_run();
    take_arguments();
  }
}

// Records.

static struct record *new_record(enum kind kind, uint32_t frames, size_t text) {
  if (!header || !is_inside(header->records_offset, header->records_capacity))
    return NULL;
  if (kind != MODULES && __atomic_fetch_add(&header->count, 1, __ATOMIC_RELAXED) >= MOST_RECORDS) {
    __atomic_fetch_add(&header->lost, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  uint32_t size = (uint32_t)(sizeof(struct record) + frames * sizeof(uint64_t) + text + 7) & ~7u;
  uint32_t offset = __atomic_fetch_add(&header->used, size, __ATOMIC_RELAXED);
  if ((uint64_t)offset + size > header->records_capacity) {
    __atomic_fetch_add(&header->lost, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  struct record *record = (struct record *)at(header->records_offset + offset);
  record->size = size;
  record->kind = kind;
  record->process = (uint32_t)getpid();
  record->frames = frames;
  record->text = (uint32_t)text;
  return record;
}

static void finish_record(struct record *record, const char *text) {
  memcpy(&record->frame[record->frames], text, record->text);
  __atomic_store_n(&record->ready, 1, __ATOMIC_RELEASE);
}

// Modules: where the addresses of a stack belong.

struct modules {
  char *text;
  size_t length;
  unsigned long long loaded;
};

static int add_module(struct dl_phdr_info *info, size_t size, void *into) {
  (void)size;
  struct modules *modules = into;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  size_t needed = strlen(name) + 18;
  modules->loaded = info->dlpi_adds;
  if (modules->length + needed > LONGEST_TEXT)
    return 0;
  char *to = modules->text + modules->length;
  for (int digit = 15; digit >= 0; digit--)
    *to++ = "0123456789abcdef"[info->dlpi_addr >> (4 * digit) & 15];
  *to++ = ' ';
  memcpy(to, name, needed - 18);
  to[needed - 18] = '\n';
  modules->length += needed;
  return 0;
}

static void record_modules(void) {
  static unsigned long long recorded;
  static pid_t recorder;
  static char text[LONGEST_TEXT];
  struct modules modules = {text, 0, 0};
  dl_iterate_phdr(add_module, &modules);
  if (recorder == getpid() && recorded == modules.loaded)
    return;
  recorder = getpid();
  recorded = modules.loaded;
  struct record *record = new_record(MODULES, 0, modules.length);
  if (record)
    finish_record(record, text);
}

// Stacks.

struct stack {
  uint64_t frame[MOST_FRAMES];
  uint32_t count;
  // Whether the stack of interest is the one below the first signal handler.
  int below_signal;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *into) {
  struct stack *stack = into;
  int interrupted = 0;
  uint64_t address = _Unwind_GetIPInfo(context, &interrupted);
  if (!address)
    return _URC_END_OF_STACK;
  if (interrupted && stack->below_signal) {
    stack->below_signal = 0;
    stack->count = 0;
  }
  if (stack->count == MOST_FRAMES)
    return stack->below_signal ? _URC_NO_REASON : _URC_END_OF_STACK;
  // A return address belongs to what comes after the call, and perhaps to another line.
  stack->frame[stack->count++] = interrupted ? address : address - 1;
  return _URC_NO_REASON;
}

static struct record *record_stack(enum kind kind, size_t text, int below_signal) {
  struct stack stack;
  stack.count = 0;
  stack.below_signal = below_signal;
  record_modules();
  _Unwind_Backtrace(add_frame, &stack);
  struct record *record = new_record(kind, stack.count, text < LONGEST_TEXT ? text : LONGEST_TEXT);
  if (record)
    memcpy(record->frame, stack.frame, stack.count * sizeof(uint64_t));
  return record;
}

// Before a server forks: what each of its children would have to find out first if something goes wrong there.
__attribute__((visibility("hidden"))) void __provoke_get_ready(void) {
  struct stack stack;
  stack.count = 0;
  stack.below_signal = 0;
  _Unwind_Backtrace(add_frame, &stack);
  void *here = (void *)(uintptr_t)__provoke_get_ready;
  char module[1];
  void *offset;
  if (__sanitizer_get_module_and_offset_for_pc)
    __sanitizer_get_module_and_offset_for_pc(here, module, sizeof module, &offset);
  // As a line of a report is made, which needs memory that the modules do not.
  char text[64];
  if (__sanitizer_symbolize_pc)
    __sanitizer_symbolize_pc(here, "%p", text, sizeof text);
}

// Checks.

static int is_silent(uint32_t check) {
  if (check >= header->silent_count || !is_inside(header->silent_offset, header->silent_count / 8 + 1))
    return 0;
  return at(header->silent_offset)[check / 8] >> check % 8 & 1;
}

// Whether this check has failed at this place before. Places that share a slot with another one may be said twice.
static int is_seen(uint32_t check, uint64_t place) {
  uint64_t key = (place ^ (uint64_t)check << 40) | 1ull << 63;
  uint64_t *slot = &seen[key * 0x9e3779b97f4a7c15ull >> 52];
  return __atomic_exchange_n(slot, key, __ATOMIC_RELAXED) == key;
}

static void record_check(uint32_t check, uint64_t a, uint64_t b, uint64_t place) {
  if (!header || busy || is_silent(check) || is_seen(check, place))
    return;
  busy = 1;
  struct record *record = record_stack(CHECK, 0, 0);
  if (record) {
    record->check = check;
    record->a = a;
    record->b = b;
    finish_record(record, "");
  }
  busy = 0;
}

static _Noreturn void stop(void) {
  if (header && header->owner == (uint32_t)getpid())
    header->stopped = 1;
  _exit(1);
}

// A check does not hold. The program goes on: what was predicted may come later.
void __provoke_failed(uint32_t check, uint64_t a, uint64_t b) {
  record_check(check, a, b, (uint64_t)__builtin_return_address(0));
}

// A string was written to an array that is part of something larger: its end must be there, too.
void __provoke_string(uint32_t check, const char *array, const char *string, uint64_t bytes) {
  uint64_t before = (uint64_t)string - (uint64_t)array;
  if (string && before < bytes && !memchr(string, 0, bytes - before))
    record_check(check, before + strlen(string) + 1, bytes, (uint64_t)__builtin_return_address(0));
}

// Code was reached that the program says is never reached: there is nothing to go on with.
_Noreturn void __provoke_unreachable(uint32_t check) {
  record_check(check, 0, 0, (uint64_t)__builtin_return_address(0));
  stop();
}

// Format strings.

// What a percent sign and its modifiers can be followed by to take an argument. Anything else is written out as it is.
#define CONVERSIONS "diouxXbBeEfFgGaAcCsSpn"

// The number of an argument that a format names itself (`2$`), 0 if it does not.
static uint32_t named_argument(const char *text) {
  uint32_t number = 0;
  for (; *text >= '0' && *text <= '9' && number < 1 << 16; text++)
    number = 10 * number + (uint32_t)(*text - '0');
  return *text == '$' ? number : 0;
}

// How many arguments a format takes; `writes` is set if it stores into one of them.
static uint32_t arguments_of(const char *format, int *writes) {
  uint32_t in_turn = 0, named = 0;
  for (; *format; format++) {
    if (*format != '%')
      continue;
    format++;
    uint32_t stars = 0, number = named_argument(format), highest = number;
    for (; *format && strchr("-+ #0123456789.*'$IhlLqjztZ", *format); format++) {
      if (*format != '*')
        continue;
      uint32_t width = named_argument(format + 1);
      highest = width > highest ? width : highest;
      stars += !width;
    }
    if (!*format)
      break;
    int is_known = strchr(CONVERSIONS, *format) != NULL;
    *writes |= *format == 'n';
    in_turn += stars + (is_known && !number);
    named = highest > named ? highest : named;
  }
  return in_turn > named ? in_turn : named;
}

// A block of no bytes has one for AddressSanitizer.
void __provoke_allocated(void *block, size_t size) {
  if (block && size == 0 && __asan_poison_memory_region)
    __asan_poison_memory_region(block, 1);
}

// A size, or a number of elements, that an allocator is given: more than half of all addresses is nothing that anybody asks for. What
// there is no room for otherwise it refuses, and the program can handle that.
void __provoke_size(size_t size) {
  uint64_t place = (uint64_t)__builtin_return_address(0);
  if (size <= PTRDIFF_MAX || !header || busy || is_seen(~1u, place))
    return;
  busy = 1;
  struct record *record = record_stack(ALLOCATION, 0, 0);
  if (record) {
    record->a = size;
    finish_record(record, "");
  }
  busy = 0;
}

struct constant {
  const char *text;
  int is_found;
};

static int find_constant(struct dl_phdr_info *info, size_t size, void *into) {
  (void)size;
  struct constant *constant = into;
  for (const ElfW(Phdr) *part = info->dlpi_phdr; part < info->dlpi_phdr + info->dlpi_phnum; part++) {
    uint64_t offset = (uint64_t)constant->text - info->dlpi_addr - part->p_vaddr;
    constant->is_found |= part->p_type == PT_LOAD && !(part->p_flags & PF_W) && offset < part->p_memsz;
  }
  return constant->is_found;
}

// Whether a text is one that nobody can have changed: no input is in it, however it came here.
static int is_constant(const char *text) {
  struct constant constant = {text, 0};
  return dl_iterate_phdr(find_constant, &constant);
}

// A format that the compiler knows no text of, and with it `given` arguments; as many as there can be if nobody knows.
void __provoke_format(const char *format, uint32_t given) {
  if (!header || busy || !format)
    return;
  int writes = 0;
  uint32_t taken = arguments_of(format, &writes);
  writes = writes && !is_constant(format);
  uint64_t place = (uint64_t)__builtin_return_address(0);
  if ((taken <= given && !writes) || is_seen(~0u, place))
    return;
  busy = 1;
  size_t length = strlen(format);
  struct record *record = record_stack(FORMAT, length < 256 ? length : 256, 0);
  if (record) {
    record->a = taken;
    record->b = given;
    finish_record(record, format);
  }
  busy = 0;
}

// AddressSanitizer.

const char *__asan_default_options(void) {
  // Handlers that the program installs for its own crashes must not hide them.
  return "detect_leaks=0:allocator_may_return_null=1:print_legend=0:print_full_thread_history=0:"
         "handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2:handle_sigtrap=2:handle_abort=1:"
         "detect_stack_use_after_return=1:detect_odr_violation=0";
}

static int is_of_signal(const char *description) {
  return strcmp(description, "signal") == 0 || strcmp(description, "null-deref") == 0 ||
         strncmp(description, "wild-", 5) == 0 || strcmp(description, "stack-overflow") == 0;
}

// The number that follows a name in a report; 0 if there is none.
static uint64_t number_after(const char *report, const char *name) {
  const char *found = strstr(report, name);
  uint64_t number = 0;
  for (found = found ? found + strlen(name) : ""; *found; found++) {
    if (*found >= '0' && *found <= '9')
      number = number << 4 | (uint64_t)(*found - '0');
    else if (*found >= 'a' && *found <= 'f')
      number = number << 4 | (uint64_t)(*found - 'a' + 10);
    else
      break;
  }
  return number;
}

// The stack of a program that jumped to where there is no code, which nothing can unwind: who called lies on top, and
// every function of the program keeps a chain of frames.
static void follow_frames(const char *report, struct stack *stack) {
  const uint64_t *top = (const uint64_t *)number_after(report, " sp 0x");
  const uint64_t *frame = (const uint64_t *)number_after(report, " bp 0x");
  if (!top || (uint64_t)top % 8 || number_after(report, "(pc 0x") != number_after(report, "unknown address 0x"))
    return;
  stack->frame[stack->count++] = *top - 1;
  // Frames lie above one another, and none is far from the next.
  for (const uint64_t *last = top; frame >= last && frame - last < 1 << 17 && (uint64_t)frame % 8 == 0;) {
    if (!frame[1] || stack->count == MOST_FRAMES)
      break;
    stack->frame[stack->count++] = frame[1] - 1;
    last = frame + 1;
    frame = (const uint64_t *)frame[0];
  }
}

static void keep_report(const char *report) {
  if (!header)
    return;
  struct stack stack;
  stack.count = 0;
  size_t length = strlen(report);
  follow_frames(report, &stack);
  struct record *record = new_record(SANITIZER_REPORT, stack.count, length < LONGEST_TEXT ? length : LONGEST_TEXT);
  if (record) {
    memcpy(record->frame, stack.frame, stack.count * sizeof(uint64_t));
    finish_record(record, report);
  }
}

// Called before anything is printed.
void __asan_on_error(void) {
  if (!header)
    return;
  busy = 1;
  const char *description = __asan_get_report_description();
  struct record *record = record_stack(SANITIZER, strlen(description), is_of_signal(description));
  if (record) {
    record->pc = (uint64_t)__asan_get_report_pc();
    record->address = (uint64_t)__asan_get_report_address();
    record->access_size = __asan_get_report_access_size();
    record->is_write = __asan_get_report_access_type() != 0;
    finish_record(record, description);
  }
  if (header->owner == (uint32_t)getpid())
    header->stopped = 1;
  __asan_set_error_report_callback(keep_report);
}

// Assertions. Weak: the program may have its own.

static void record_text(enum kind kind, const char *text) {
  if (!header || busy)
    return;
  busy = 1;
  struct record *record = record_stack(kind, strlen(text), 0);
  if (record)
    finish_record(record, text);
  busy = 0;
}

__attribute__((weak)) _Noreturn void __assert_fail(const char *condition, const char *file, unsigned line,
                                                   const char *function) {
  record_text(ASSERTION, condition ? condition : "");
  void (*fail)(const char *, const char *, unsigned, const char *) = dlsym(RTLD_NEXT, "__assert_fail");
  if (fail)
    fail(condition, file, line, function);
  stop();
}

__attribute__((weak)) _Noreturn void abort(void) {
  record_text(ABORT, "");
  void (*end)(void) = dlsym(RTLD_NEXT, "abort");
  if (end)
    end();
  stop();
}

// Inputs that the program names itself.

// The number of times that a name was used, this time included.
static uint32_t use_of(const char *name) {
  static struct {
    uint64_t name;
    uint32_t uses;
  } known[256];
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *name; name++)
    hash = (hash ^ (uint8_t)*name) * 0x100000001b3ull;
  for (uint32_t probe = 0; probe < 256; probe++) {
    uint32_t slot = (uint32_t)(hash + probe) % 256;
    if (known[slot].uses == 0)
      known[slot].name = hash;
    if (known[slot].name == hash)
      return ++known[slot].uses;
  }
  return 0;
}

// Whether `given` is NAME for the first use of a name and NAME#USE for any other.
static int is_name(const char *given, size_t length, const char *name, uint32_t use) {
  size_t plain = strlen(name);
  if (length < plain || memcmp(given, name, plain) != 0)
    return 0;
  if (use == 1)
    return length == plain;
  uint32_t number = 0;
  if (length == plain || given[plain] != '#')
    return 0;
  for (size_t i = plain + 1; i < length; i++)
    number = number * 10 + (uint32_t)(given[i] - '0');
  return number == use;
}

void __provoke_x_provoke_make_symbolic(void *bytes, size_t count, const char *name) {
  name = name ? name : "buffer";
  uint32_t use = use_of(name);
  struct piece piece;
  for (const char *next = first_piece(); next && (next = next_piece(next, &piece));) {
    if (is_name(piece.name, piece.name_length, name, use)) {
      memcpy(bytes, piece.bytes, count < piece.length ? count : piece.length);
      return;
    }
  }
}

/* Plays the part of instrumented code: the entry points of the runtime, called by hand. */
#include <stdint.h>
#include <stddef.h>

struct slots {
    uint64_t argument_tag, result_tag, frames;
    uint32_t call_site, has_variadic;
    uint32_t arguments[64], results[32], variadic[432];
};
extern __thread struct slots __provoke_thread __attribute__((tls_model("local-exec")));

enum { ADD = 16, SUB = 17, EQ = 32, NE = 33, ULT = 34, ZEXT = 6, EXTRACT = 5 };

uint32_t __provoke_binary(uint32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t);
uint32_t __provoke_unary(uint32_t, uint32_t, uint64_t, uint64_t, uint64_t);
uint32_t __provoke_wide_binary(uint32_t, uint32_t, uint32_t, uint64_t);
uint32_t __provoke_constant(uint32_t, const uint64_t *);
uint32_t __provoke_load(const void *, uint64_t, uint64_t);
void __provoke_store(void *, uint64_t, uint32_t, uint64_t);
void __provoke_memmove(void *, const void *, uint64_t);
void __provoke_branch(uint32_t, uint32_t, uint32_t);
void __provoke_pin(uint32_t, uint32_t, uint32_t, uint64_t);
void __provoke_address(uint32_t, uint32_t, const void *, uint64_t, uint32_t);
void __provoke_globals(const void *, uint64_t);
void __provoke_variadic_argument(uint64_t, uint64_t, uint32_t, uint64_t);
void __provoke_variadic_entry(void *);
void __provoke_variadic_start(void *, void *);
long __provoke_x_read(int, void *, size_t);
void __provoke_x_provoke_make_symbolic(void *, size_t, const char *);
void *__provoke_x_malloc(size_t);
int __provoke_x_strcmp(const char *, const char *);
int __provoke_x_getc(void *);
char *__provoke_x_fgets(char *, int, void *);
size_t __provoke_x_fread(void *, size_t, size_t, void *);
void __provoke_x__exit(int);
int __provoke_x_pthread_create(void *, const void *, void *(*)(void *), void *);

#define OP(op, width) ((op) | (width) << 8)

/* if (*p == c) at a site, as the instrumenter does it. */
static inline int branch_on_byte(const unsigned char *p, unsigned char c, uint32_t site) {
    uint32_t label = __provoke_load(p, 1, *p);
    int taken = *p == c;
    uint32_t condition = __provoke_binary(OP(EQ, 8), label, 0, *p, c, taken);
    if (condition) __provoke_branch(condition, site, taken);
    return taken;
}

/* The label of a model's result. */
static inline uint32_t result_of(void *model) {
    if (__provoke_thread.result_tag != (uint64_t)model) return 0;
    __provoke_thread.result_tag = 0;
    return __provoke_thread.results[0];
}

/* What programs for KLEE and for the competition on software verification call, in terms of provoke_make_symbolic. Compiled
 * along with a source file that mentions them; in a build of your own, include it in one of your files.
 */
#include <provoke.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program may have definitions of its own. */
#define PROVOKE_WEAK __attribute__((__weak__))

#define PROVOKE_NONDET(type, name) \
    PROVOKE_WEAK type __VERIFIER_nondet_##name(void) \
    { \
        type value = 0; \
        provoke_make_symbolic(&value, sizeof value, #name); \
        return value; \
    }

PROVOKE_NONDET(char, char)
PROVOKE_NONDET(signed char, schar)
PROVOKE_NONDET(unsigned char, uchar)
PROVOKE_NONDET(unsigned char, u8)
PROVOKE_NONDET(short, short)
PROVOKE_NONDET(unsigned short, ushort)
PROVOKE_NONDET(unsigned short, u16)
PROVOKE_NONDET(int, int)
PROVOKE_NONDET(unsigned, uint)
PROVOKE_NONDET(unsigned, unsigned)
PROVOKE_NONDET(unsigned, U32)
PROVOKE_NONDET(unsigned, u32)
PROVOKE_NONDET(long, long)
PROVOKE_NONDET(unsigned long, ulong)
PROVOKE_NONDET(long long, longlong)
PROVOKE_NONDET(unsigned long long, ulonglong)
PROVOKE_NONDET(unsigned long long, u64)
PROVOKE_NONDET(size_t, size_t)
PROVOKE_NONDET(float, float)
PROVOKE_NONDET(double, double)
PROVOKE_NONDET(void *, pointer)

PROVOKE_WEAK _Bool __VERIFIER_nondet_bool(void)
{
    unsigned char value = 0;
    provoke_make_symbolic(&value, sizeof value, "bool");
    return value & 1;
}

PROVOKE_WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    provoke_make_symbolic(memory, size, "memory");
}

PROVOKE_WEAK void __VERIFIER_assume(int condition)
{
    if (!condition)
        exit(0);
}

PROVOKE_WEAK void __VERIFIER_error(void) { abort(); }

PROVOKE_WEAK void reach_error(void) { abort(); }

PROVOKE_WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        abort();
}

PROVOKE_WEAK void klee_make_symbolic(void *memory, size_t size, const char *name)
{
    provoke_make_symbolic(memory, size, name);
}

PROVOKE_WEAK int klee_int(const char *name)
{
    int value = 0;
    provoke_make_symbolic(&value, sizeof value, name);
    return value;
}

PROVOKE_WEAK int klee_range(int begin, int end, const char *name)
{
    int value = begin;
    provoke_make_symbolic(&value, sizeof value, name);
    if (value < begin || value >= end)
        exit(0);
    return value;
}

PROVOKE_WEAK void klee_assume(uintptr_t condition)
{
    if (!condition)
        exit(0);
}

PROVOKE_WEAK void klee_silent_exit(int status) { exit(status); }

PROVOKE_WEAK void klee_abort(void) { abort(); }

PROVOKE_WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

PROVOKE_WEAK void klee_warning(const char *message) { (void)message; }

PROVOKE_WEAK void klee_warning_once(const char *message) { (void)message; }

PROVOKE_WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }

#ifdef __cplusplus
}
#endif

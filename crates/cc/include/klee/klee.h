/* The functions of KLEE that programs call, as Provoke knows them; <provoke/nondet.c> defines them. */
#ifndef KLEE_H
#define KLEE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *memory, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
void klee_assume(uintptr_t condition);
void klee_silent_exit(int status) __attribute__((__noreturn__));
void klee_abort(void) __attribute__((__noreturn__));
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
unsigned klee_is_symbolic(uintptr_t value);

#define klee_assert(condition) assert(condition)

#ifdef __cplusplus
}
#endif

#endif

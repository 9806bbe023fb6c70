// What models in C have in common.
//
// A model stands for a library function in the concolic view: MODEL(name) is called in place of name. It is instrumented as
// the program is, so it need only compute what the function computes; calls of library functions in it go to their models in
// turn. What happens in it is reported at the place where it was called. It has to do exactly what the function does, `errno`
// included, because the program goes on with its result.

#ifndef MODEL_H
#define MODEL_H

#define _GNU_SOURCE
#define __NO_CTYPE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL(name) __provoke_x_##name

// The library's own function, which knows no labels.
#define REAL(name) __asm__("__provoke_real_" #name)

// Whether no byte of the memory depends on the input.
extern int __provoke_x_provoke_is_concrete(const void *memory, size_t size);

static inline int is_concrete(const void *memory, size_t size) {
  return __provoke_x_provoke_is_concrete(memory, size);
}

static inline int is_concrete_string(const char *string) {
  extern size_t real_strlen(const char *) REAL(strlen);
  return is_concrete(string, real_strlen(string) + 1);
}

// The number without what it depends on. Only for what is accounted for elsewhere.
extern size_t __provoke_x_provoke_concrete(size_t number);

// Whether a string begins with another one in this run, and nothing is decided about it.
extern int __provoke_x_provoke_begins_with(const char *string, const char *start);

// Copies bytes and their labels; how many is taken as it is.
extern void __provoke_x_provoke_copy(void *to, const void *from, size_t size);

// What was in the memory is gone: the library writes to it, or has written.
extern void __provoke_x_provoke_forget(void *memory, size_t size);

// So many bytes are written to a place, but no more than the limit: checked for every number that it can be, and not pinned.
extern void __provoke_x_provoke_written(void *to, size_t size, size_t limit);

// The same for bytes that are read.
extern void __provoke_x_provoke_read(const void *from, size_t size);

#endif

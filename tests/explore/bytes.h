// What the programs have in common: all of the input, and something that happens on one side of a branch only.
#include <stdio.h>

static inline int get(unsigned char *bytes, size_t count) {
    return fread(bytes, 1, count, stdin) == count;
}

static int marks;

__attribute__((noinline)) static void mark(void) {
    __asm__ volatile("" ::: "memory");
    marks++;
}

// Keeping memory from being paged out: the tables of labels beside the program's memory are too large for that, and what the
// program computes is the same without.

#include "model.h"
#include <sys/mman.h>

int MODEL(mlock)(const void *memory, size_t size) {
  (void)memory, (void)size;
  return 0;
}

int MODEL(mlock2)(const void *memory, size_t size, unsigned flags) {
  (void)memory, (void)size, (void)flags;
  return 0;
}

int MODEL(mlockall)(int flags) {
  (void)flags;
  return 0;
}

int MODEL(munlock)(const void *memory, size_t size) {
  (void)memory, (void)size;
  return 0;
}

int MODEL(munlockall)(void) { return 0; }

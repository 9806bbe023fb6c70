// Sorting and searching with functions of the program. Sorting is stable, as the library's is.

#include "model.h"

typedef int (*comparison)(const void *, const void *, void *);

static void merge_sort(char *base, size_t count, size_t size, comparison compare, void *context, char *space) {
  if (count < 2)
    return;
  size_t half = count / 2;
  char *a = base, *b = base + half * size, *middle = b, *end = base + count * size, *to = space;
  merge_sort(base, half, size, compare, context, space);
  merge_sort(middle, count - half, size, compare, context, space);
  while (a < middle && b < end) {
    int takes_first = compare(a, b, context) <= 0;
    memcpy(to, takes_first ? a : b, size);
    if (takes_first)
      a += size;
    else
      b += size;
    to += size;
  }
  // What is left of the second half is in its place.
  memcpy(to, a, (size_t)(middle - a));
  to += middle - a;
  memcpy(base, space, (size_t)(to - space));
}

void MODEL(qsort_r)(void *base, size_t count, size_t size, comparison compare, void *context) {
  int before = errno;
  char small[1024];
  char *space = count * size <= sizeof small ? small : malloc(count * size);
  if (space)
    merge_sort(base, count, size, compare, context, space);
  if (space != small)
    free(space);
  errno = before;
}

struct plain {
  int (*compare)(const void *, const void *);
};

static int call_plain(const void *a, const void *b, void *context) { return ((struct plain *)context)->compare(a, b); }

void MODEL(qsort)(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  struct plain plain = {compare};
  qsort_r(base, count, size, call_plain, &plain);
}

void *MODEL(bsearch)(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order < 0)
      high = middle;
    else if (order > 0)
      low = middle + 1;
    else
      return (void *)element;
  }
  return NULL;
}

// Strings of wide characters: plain loops, one branch for each character.

#include "model.h"
#include <wchar.h>

size_t MODEL(wcslen)(const wchar_t *string) {
  size_t length = 0;
  while (string[length])
    length++;
  return length;
}

size_t MODEL(wcsnlen)(const wchar_t *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length])
    length++;
  return length;
}

wchar_t *MODEL(wmemcpy)(wchar_t *to, const wchar_t *from, size_t count) {
  return memcpy(to, from, count * sizeof *to);
}

wchar_t *MODEL(wmemmove)(wchar_t *to, const wchar_t *from, size_t count) {
  return memmove(to, from, count * sizeof *to);
}

wchar_t *MODEL(wmemset)(wchar_t *to, wchar_t character, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = character;
  return to;
}

static int order(wchar_t a, wchar_t b) { return a < b ? -1 : a > b; }

int MODEL(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t count) {
  for (; count > 0; a++, b++, count--)
    if (*a != *b)
      return order(*a, *b);
  return 0;
}

wchar_t *MODEL(wmemchr)(const wchar_t *memory, wchar_t wanted, size_t count) {
  for (; count > 0; memory++, count--)
    if (*memory == wanted)
      return (wchar_t *)memory;
  return NULL;
}

wchar_t *MODEL(wcscpy)(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  for (; from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
  return to;
}

wchar_t *MODEL(wcsncpy)(wchar_t *to, const wchar_t *from, size_t count) {
  size_t i = 0;
  for (; i < count && from[i]; i++)
    to[i] = from[i];
  for (; i < count; i++)
    to[i] = 0;
  return to;
}

wchar_t *MODEL(wcscat)(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

int MODEL(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    if (*a != *b)
      return order(*a, *b);
    if (*a == 0)
      return 0;
  }
  return 0;
}

int MODEL(wcscmp)(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, SIZE_MAX); }

wchar_t *MODEL(wcschr)(const wchar_t *string, wchar_t wanted) {
  for (;; string++) {
    if (*string == wanted)
      return (wchar_t *)string;
    if (*string == 0)
      return NULL;
  }
}

wchar_t *MODEL(wcsrchr)(const wchar_t *string, wchar_t wanted) {
  const wchar_t *found = NULL;
  for (;; string++) {
    if (*string == wanted)
      found = string;
    if (*string == 0)
      return (wchar_t *)found;
  }
}

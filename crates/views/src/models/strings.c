// Searching, splitting and comparing strings, as far as a plain loop says it best: one branch for each byte, or for a set of them.

#include "model.h"

extern void *real_memmem(const void *, size_t, const void *, size_t) REAL(memmem);
extern char *real_strstr(const char *, const char *) REAL(strstr);
extern char *real_strcasestr(const char *, const char *) REAL(strcasestr);

static unsigned char folded(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

char *MODEL(rindex)(const char *string, int wanted) { return strrchr(string, wanted); }

char *MODEL(index)(const char *string, int wanted) { return strchr(string, wanted); }

char *MODEL(strchrnul)(const char *string, int wanted) {
  char *found = strchr(string, wanted);
  return found ? found : (char *)string + strlen(string);
}

void *MODEL(rawmemchr)(const void *memory, int wanted) {
  const unsigned char *at = memory;
  while (*at != (unsigned char)wanted)
    at++;
  return (void *)at;
}

void *MODEL(memrchr)(const void *memory, int wanted, size_t size) {
  const unsigned char *bytes = memory;
  while (size > 0)
    if (bytes[--size] == (unsigned char)wanted)
      return (void *)(bytes + size);
  return NULL;
}

void *MODEL(mempcpy)(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }

void *MODEL(memccpy)(void *to, const void *from, int last, size_t size) {
  const char *end = memchr(from, last, size);
  size_t copied = end ? (size_t)(end - (const char *)from) + 1 : size;
  memcpy(to, from, copied);
  return end ? (char *)to + copied : NULL;
}

void MODEL(bcopy)(const void *from, void *to, size_t size) { memmove(to, from, size); }

void MODEL(bzero)(void *memory, size_t size) { memset(memory, 0, size); }

// One branch where the set is not of the input, whatever its size.
static int contains(const char *set, char c) { return strchr(set, c) != NULL; }

size_t MODEL(strspn)(const char *string, const char *accepted) {
  size_t length = 0;
  while (string[length] && contains(accepted, string[length]))
    length++;
  return length;
}

size_t MODEL(strcspn)(const char *string, const char *rejected) {
  size_t length = 0;
  while (string[length] && !contains(rejected, string[length]))
    length++;
  return length;
}

char *MODEL(strpbrk)(const char *string, const char *accepted) {
  string += strcspn(string, accepted);
  return *string ? (char *)string : NULL;
}

char *MODEL(strtok_r)(char *string, const char *delimiters, char **rest) {
  if (!string)
    string = *rest;
  string += strspn(string, delimiters);
  if (*string == '\0') {
    *rest = string;
    return NULL;
  }
  char *end = string + strcspn(string, delimiters);
  if (*end == '\0') {
    *rest = end;
    return string;
  }
  *end = '\0';
  *rest = end + 1;
  return string;
}

char *MODEL(__strtok_r)(char *string, const char *delimiters, char **rest) {
  return strtok_r(string, delimiters, rest);
}

char *MODEL(strtok)(char *string, const char *delimiters) {
  static char *rest;
  return strtok_r(string, delimiters, &rest);
}

char *MODEL(strsep)(char **rest, const char *delimiters) {
  char *string = *rest;
  if (!string)
    return NULL;
  char *end = string + strcspn(string, delimiters);
  if (*end) {
    *end = '\0';
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return string;
}

int MODEL(strncasecmp)(const char *a, const char *b, size_t size) {
  for (; size > 0; a++, b++, size--) {
    unsigned char x = folded((unsigned char)*a), y = folded((unsigned char)*b);
    if (x != y)
      return x - y;
    if (x == '\0')
      return 0;
  }
  return 0;
}

int MODEL(strcasecmp)(const char *a, const char *b) { return strncasecmp(a, b, SIZE_MAX); }

void *MODEL(memmem)(const void *haystack, size_t length, const void *needle, size_t size) {
  const char *at = haystack;
  if (is_concrete(haystack, length) && is_concrete(needle, size))
    return real_memmem(haystack, length, needle, size);
  if (size == 0)
    return (void *)haystack;
  for (; length >= size; at++, length--)
    if (memcmp(at, needle, size) == 0)
      return (void *)at;
  return NULL;
}

char *MODEL(strstr)(const char *haystack, const char *needle) {
  if (is_concrete_string(haystack) && is_concrete_string(needle))
    return real_strstr(haystack, needle);
  size_t size = strlen(needle);
  for (;; haystack++) {
    if (strncmp(haystack, needle, size) == 0)
      return (char *)haystack;
    if (*haystack == '\0')
      return NULL;
  }
}

char *MODEL(strcasestr)(const char *haystack, const char *needle) {
  if (is_concrete_string(haystack) && is_concrete_string(needle))
    return real_strcasestr(haystack, needle);
  size_t size = strlen(needle);
  for (;; haystack++) {
    if (strncasecmp(haystack, needle, size) == 0)
      return (char *)haystack;
    if (*haystack == '\0')
      return NULL;
  }
}

char *MODEL(stpncpy)(char *to, const char *from, size_t size) {
  size_t length = strnlen(from, size);
  strncpy(to, from, size);
  return to + length;
}

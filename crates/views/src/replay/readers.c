// Functions of the C library that read strings to their ends, and AddressSanitizer's look at what they read.

#include "watched.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *WATCHED(strsep)(char **rest, const char *delimiters) {
  char *token = strsep(rest, delimiters);
  // Behind a delimiter there may be nothing more that belongs to the program.
  if (token)
    reads(token, *rest ? (size_t)(*rest - token) : text_length(token, SIZE_MAX - 1) + 1);
  return token;
}

void *WATCHED(rawmemchr)(const void *memory, int wanted) {
  void *found = rawmemchr(memory, wanted);
  reads(memory, (size_t)((char *)found - (const char *)memory) + 1);
  return found;
}

int WATCHED(strcoll)(const char *a, const char *b) {
  size_t same = 0;
  while (a[same] && a[same] == b[same])
    same++;
  reads(a, same + 1);
  reads(b, same + 1);
  return strcoll(a, b);
}

// What is behind a number is read too.

#define WHOLE_NUMBER(type, name)                                                                                    \
  type WATCHED(name)(const char *text, char **end, int base) {                                                      \
    /* No other base leads to an end. */                                                                            \
    if (base < 0 || base == 1 || base > 36)                                                                         \
      return name(text, end, base);                                                                                 \
    char *behind;                                                                                                   \
    type number = name(text, &behind, base);                                                                        \
    reads(text, (size_t)(behind - text) + 1);                                                                       \
    if (end)                                                                                                        \
      *end = behind;                                                                                                \
    return number;                                                                                                  \
  }

WHOLE_NUMBER(unsigned long, strtoul)
WHOLE_NUMBER(unsigned long long, strtoull)
WHOLE_NUMBER(uintmax_t, strtoumax)

#define NUMBER(type, name)                                                                                          \
  type WATCHED(name)(const char *text, char **end) {                                                                \
    char *behind;                                                                                                   \
    type number = name(text, &behind);                                                                              \
    reads(text, (size_t)(behind - text) + 1);                                                                       \
    if (end)                                                                                                        \
      *end = behind;                                                                                                \
    return number;                                                                                                  \
  }

NUMBER(float, strtof)
NUMBER(double, strtod)
NUMBER(long double, strtold)

double WATCHED(atof)(const char *text) { return WATCHED(strtod)(text, NULL); }

wchar_t *WATCHED(wcschr)(const wchar_t *text, wchar_t wanted) {
  wchar_t *found = wcschr(text, wanted);
  size_t before = found ? (size_t)(found - text) : wide_length(text, SIZE_MAX / sizeof(wchar_t) - 1);
  reads(text, (before + 1) * sizeof(wchar_t));
  return found;
}

wchar_t *WATCHED(wcsrchr)(const wchar_t *text, wchar_t wanted) {
  reads(text, (wide_length(text, SIZE_MAX / sizeof(wchar_t) - 1) + 1) * sizeof(wchar_t));
  return wcsrchr(text, wanted);
}

WITHIN void compares(const wchar_t *a, const wchar_t *b, size_t most) {
  size_t same = 0;
  while (same < most && a[same] && a[same] == b[same])
    same++;
  size_t size = (same < most ? same + 1 : most) * sizeof(wchar_t);
  reads(a, size);
  reads(b, size);
}

int WATCHED(wcscmp)(const wchar_t *a, const wchar_t *b) {
  compares(a, b, SIZE_MAX / sizeof(wchar_t));
  return wcscmp(a, b);
}

int WATCHED(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t most) {
  compares(a, b, most);
  return wcsncmp(a, b, most);
}

wchar_t *WATCHED(wmemchr)(const wchar_t *memory, wchar_t wanted, size_t size) {
  wchar_t *found = wmemchr(memory, wanted, size);
  reads(memory, (found ? (size_t)(found - memory) + 1 : size) * sizeof(wchar_t));
  return found;
}

int WATCHED(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t size) {
  reads(a, size * sizeof(wchar_t));
  reads(b, size * sizeof(wchar_t));
  return wmemcmp(a, b, size);
}

// Names: the system takes no pointer to be wrong that is null, and reads no more of one than it can be long.

WITHIN void reads_name(const char *name) {
  if (name) {
    size_t length = text_length(name, PATH_MAX);
    reads(name, length < PATH_MAX ? length + 1 : PATH_MAX);
  }
}

#define NAMED(type, function, parameters, arguments)                                                                \
  type WATCHED(function) parameters {                                                                               \
    reads_name(name);                                                                                               \
    return function arguments;                                                                                      \
  }

#define RENAMED(type, function, parameters, arguments)                                                              \
  type WATCHED(function) parameters {                                                                               \
    reads_name(name);                                                                                               \
    reads_name(other);                                                                                              \
    return function arguments;                                                                                      \
  }

NAMED(char *, getenv, (const char *name), (name))
NAMED(int, unsetenv, (const char *name), (name))
RENAMED(int, setenv, (const char *name, const char *other, int overwrite), (name, other, overwrite))
NAMED(int, system, (const char *name), (name))
NAMED(int, unlink, (const char *name), (name))
NAMED(int, remove, (const char *name), (name))
NAMED(int, rmdir, (const char *name), (name))
NAMED(int, chdir, (const char *name), (name))
NAMED(int, access, (const char *name, int mode), (name, mode))
NAMED(int, mkdir, (const char *name, mode_t mode), (name, mode))
NAMED(int, chmod, (const char *name, mode_t mode), (name, mode))
NAMED(int, truncate, (const char *name, off_t size), (name, size))
NAMED(int, creat, (const char *name, mode_t mode), (name, mode))
NAMED(int, execv, (const char *name, char *const *given), (name, given))
NAMED(int, execvp, (const char *name, char *const *given), (name, given))
NAMED(int, execve, (const char *name, char *const *given, char *const *variables), (name, given, variables))
RENAMED(int, rename, (const char *name, const char *other), (name, other))
RENAMED(int, link, (const char *name, const char *other), (name, other))
RENAMED(int, symlink, (const char *name, const char *other), (name, other))

// The mode is there only where a file may be made; what is in its place elsewhere makes no difference.
#define OPENED(function)                                                                                            \
  int WATCHED(function)(const char *name, int flags, ...) {                                                         \
    va_list arguments;                                                                                              \
    va_start(arguments, flags);                                                                                     \
    mode_t mode = va_arg(arguments, mode_t);                                                                        \
    va_end(arguments);                                                                                              \
    reads_name(name);                                                                                               \
    return function(name, flags, mode);                                                                             \
  }

OPENED(open)
OPENED(open64)

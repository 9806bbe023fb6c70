// Functions of the C library that write to memory, and AddressSanitizer's look at it.

#include "watched.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A string that is copied with its end.
WITHIN void copies(void *to, const char *from) {
  size_t size = text_length(from, SIZE_MAX - 1) + 1;
  reads(from, size);
  writes(to, size);
}

WITHIN void copies_wide(void *to, const wchar_t *from) {
  size_t size = (wide_length(from, SIZE_MAX / sizeof(wchar_t) - 1) + 1) * sizeof(wchar_t);
  reads(from, size);
  writes(to, size);
}

// A string of which at most `size` characters are copied; what is left of them is filled.
WITHIN void copies_part(void *to, const char *from, size_t size) {
  size_t length = text_length(from, size);
  reads(from, length < size ? length + 1 : size);
  writes(to, size);
}

WITHIN void copies_wide_part(void *to, const wchar_t *from, size_t size) {
  size_t length = wide_length(from, size);
  reads(from, (length < size ? length + 1 : size) * sizeof(wchar_t));
  writes(to, size * sizeof(wchar_t));
}

WITHIN void copies_wide_memory(void *to, const void *from, size_t size) {
  reads(from, size * sizeof(wchar_t));
  writes(to, size * sizeof(wchar_t));
}

char *WATCHED(stpcpy)(char *to, const char *from) {
  copies(to, from);
  return stpcpy(to, from);
}

char *WATCHED(stpncpy)(char *to, const char *from, size_t size) {
  copies_part(to, from, size);
  return stpncpy(to, from, size);
}

void *WATCHED(memccpy)(void *to, const void *from, int last, size_t size) {
  size_t copied = 0;
  while (copied < size && ((const unsigned char *)from)[copied++] != (unsigned char)last) {
  }
  reads(from, copied);
  writes(to, copied);
  return memccpy(to, from, last, size);
}

void WATCHED(swab)(const void *from, void *to, ssize_t size) {
  size_t pairs = size > 0 ? (size_t)size & ~(size_t)1 : 0;
  reads(from, pairs);
  writes(to, pairs);
  swab(from, to, size);
}

void WATCHED(explicit_bzero)(void *memory, size_t size) {
  writes(memory, size);
  explicit_bzero(memory, size);
}

void *WATCHED(memfrob)(void *memory, size_t size) {
  writes(memory, size);
  return memfrob(memory, size);
}

wchar_t *WATCHED(wcscpy)(wchar_t *to, const wchar_t *from) {
  copies_wide(to, from);
  return wcscpy(to, from);
}

wchar_t *WATCHED(wcpcpy)(wchar_t *to, const wchar_t *from) {
  copies_wide(to, from);
  return wcpcpy(to, from);
}

wchar_t *WATCHED(wcsncpy)(wchar_t *to, const wchar_t *from, size_t size) {
  copies_wide_part(to, from, size);
  return wcsncpy(to, from, size);
}

wchar_t *WATCHED(wcpncpy)(wchar_t *to, const wchar_t *from, size_t size) {
  copies_wide_part(to, from, size);
  return wcpncpy(to, from, size);
}

wchar_t *WATCHED(wmemcpy)(wchar_t *to, const wchar_t *from, size_t size) {
  copies_wide_memory(to, from, size);
  return wmemcpy(to, from, size);
}

wchar_t *WATCHED(wmempcpy)(wchar_t *to, const wchar_t *from, size_t size) {
  copies_wide_memory(to, from, size);
  return wmempcpy(to, from, size);
}

wchar_t *WATCHED(wmemmove)(wchar_t *to, const wchar_t *from, size_t size) {
  copies_wide_memory(to, from, size);
  return wmemmove(to, from, size);
}

wchar_t *WATCHED(wmemset)(wchar_t *to, wchar_t with, size_t size) {
  writes(to, size * sizeof(wchar_t));
  return wmemset(to, with, size);
}

// How much these write is known only when they have.

size_t WATCHED(fread_unlocked)(void *to, size_t size, size_t count, FILE *from) {
  size_t done = fread_unlocked(to, size, count, from);
  writes(to, done * size);
  return done;
}

#define LINE(type, name, length)                                                                                    \
  type *WATCHED(name)(type * to, int size, FILE *from) {                                                            \
    type *line = name(to, size, from);                                                                              \
    if (line)                                                                                                       \
      writes(to, (length(to, (size_t)size) + 1) * sizeof *to);                                                      \
    return line;                                                                                                    \
  }

LINE(char, fgets_unlocked, text_length)
LINE(wchar_t, fgetws, wide_length)
LINE(wchar_t, fgetws_unlocked, wide_length)

char *WATCHED(getcwd)(char *to, size_t size) {
  char *folder = getcwd(to, size);
  if (to && folder)
    writes(to, text_length(to, size) + 1);
  return folder;
}

int WATCHED(gethostname)(char *to, size_t size) {
  int failed = gethostname(to, size);
  if (!failed) {
    size_t length = text_length(to, size);
    writes(to, length < size ? length + 1 : size);
  }
  return failed;
}

size_t WATCHED(strftime)(char *to, size_t size, const char *format, const struct tm *time) {
  size_t length = strftime(to, size, format, time);
  if (length > 0)
    writes(to, length + 1);
  return length;
}

size_t WATCHED(wcsftime)(wchar_t *to, size_t size, const wchar_t *format, const struct tm *time) {
  size_t length = wcsftime(to, size, format, time);
  if (length > 0)
    writes(to, (length + 1) * sizeof(wchar_t));
  return length;
}

char *WATCHED(strerror_r)(int error, char *to, size_t size) {
  char *text = strerror_r(error, to, size);
  if (text == to)
    writes(to, text_length(to, size) + 1);
  return text;
}

extern int __xpg_strerror_r(int, char *, size_t);

int WATCHED(__xpg_strerror_r)(int error, char *to, size_t size) {
  int failed = __xpg_strerror_r(error, to, size);
  if (!failed)
    writes(to, text_length(to, size) + 1);
  return failed;
}

int WATCHED(vswprintf)(wchar_t *to, size_t size, const wchar_t *format, va_list arguments) {
  int length = vswprintf(to, size, format, arguments);
  if (length >= 0)
    writes(to, ((size_t)length + 1) * sizeof(wchar_t));
  return length;
}

int WATCHED(swprintf)(wchar_t *to, size_t size, const wchar_t *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = WATCHED(vswprintf)(to, size, format, arguments);
  va_end(arguments);
  return length;
}

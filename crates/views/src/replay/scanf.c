// The functions that read by a format, and AddressSanitizer's look at what they wrote.
//
// The sanitizer's own stand-ins take the width of a directive for the number of bytes that it wrote: `%31s` into eight of them is wrong
// for them even where no word is that long. Programs call these functions instead, which look at what was certainly written: the
// width says how much it can be, the text itself how much it is.

#include "watched.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct directive {
  int is_dropped, is_allocated;
  // None is 0.
  size_t width;
  // Of a number, or of a character.
  size_t number, character;
  int is_long_double;
  char kind;
};

// What a call has read from: a string, or a stream.
struct source {
  const char *string;
  FILE *stream;
};

// Behind the bracket that ends a set, given what follows the one that begins it; NULL if it has no end.
static const char *behind_set(const char *format) {
  format += *format == '^';
  const char *end = *format ? strchr(format + 1, ']') : NULL;
  return end ? end + 1 : NULL;
}

static const char *parse_length(const char *format, struct directive *d) {
  d->number = sizeof(int);
  d->character = sizeof(char);
  if (*format == 'h') {
    d->number = format[1] == 'h' ? sizeof(char) : sizeof(short);
    return format + (format[1] == 'h' ? 2 : 1);
  }
  if (!*format || !strchr("lLqjzt", *format))
    return format;
  d->number = sizeof(long);
  d->is_long_double = *format == 'L';
  if (*format != 'l')
    return format + 1;
  d->character = sizeof(wchar_t);
  return format + (format[1] == 'l' ? 2 : 1);
}

// The directive behind a percent sign, and what follows it; NULL if it is none that is known here. Before C99, `a` was an allocation.
static const char *parse(const char *format, int is_c99, struct directive *d) {
  *d = (struct directive){0};
  if (*format == '*') {
    d->is_dropped = 1;
    format++;
  }
  for (; *format >= '0' && *format <= '9' && d->width < INT_MAX / 10; format++)
    d->width = d->width * 10 + (size_t)(*format - '0');
  if (*format == 'm' || (*format == 'a' && !is_c99 && format[1] && strchr("sS[", format[1]))) {
    d->is_allocated = 1;
    format++;
  }
  format = parse_length(format, d);
  d->kind = *format;
  if (d->kind == 'C' || d->kind == 'S') {
    d->character = sizeof(wchar_t);
    d->kind = d->kind == 'C' ? 'c' : 's';
  }
  if (!d->kind || !strchr("diouxXpneEfFgGaAcs[", d->kind))
    return NULL;
  return d->kind == '[' ? behind_set(format + 1) : format + 1;
}

static size_t length(const void *string, size_t size, size_t most) {
  return size == sizeof(wchar_t) ? wide_length(string, most) : text_length(string, most);
}

// How many characters a directive for them has certainly written: input that ends may leave it with fewer than its width, unless another
// one was assigned behind it. A wide character is any number of bytes of the input.
static size_t characters(const struct directive *d, const struct source *source, int is_first, int is_last) {
  size_t width = d->width ? d->width : 1;
  if (!is_last)
    return width;
  if (source->stream)
    return feof(source->stream) || ferror(source->stream) ? 1 : width;
  return is_first && d->character == sizeof(char) ? length(source->string, sizeof(char), width) : 1;
}

static size_t written(const struct directive *d, const void *to, size_t count) {
  size_t most = d->width ? d->width : SIZE_MAX / sizeof(wchar_t);
  if (d->is_allocated || d->kind == 'p')
    return sizeof(void *);
  if (d->kind == 'c')
    return count * d->character;
  if (d->kind == 's' || d->kind == '[')
    return (length(to, d->character, most) + 1) * d->character;
  if (strchr("eEfFgGaA", d->kind))
    return d->is_long_double ? sizeof(long double) : d->number == sizeof(long) ? sizeof(double) : sizeof(float);
  return d->number;
}

// Looks at what a call has written that has assigned `done` values.
static void look(const struct source *source, const char *format, int is_c99, va_list arguments, int done) {
  reads(format, text_length(format, SIZE_MAX - 1) + 1);
  if (source->string)
    reads(source->string, text_length(source->string, SIZE_MAX - 1) + 1);
  if (done < 0)
    return;
  // Input that is not what the format says ends a call between two directives.
  int is_certain = 1, assigned = 0;
  for (const char *next = format; *next;) {
    if (*next != '%' || next[1] == '%') {
      is_certain &= *next == ' ' || (*next >= '\t' && *next <= '\r');
      next += *next == '%' ? 2 : 1;
      continue;
    }
    int is_first = next == format;
    struct directive d;
    next = parse(next + 1, is_c99, &d);
    if (!next || (d.kind != 'n' && !d.is_dropped && assigned == done))
      return;
    if (d.is_dropped) {
      is_certain &= d.kind == 'n';
      continue;
    }
    void *to = va_arg(arguments, void *);
    if (d.kind != 'n') {
      is_certain = 1;
      assigned++;
    }
    if (is_certain)
      writes(to, written(&d, to, characters(&d, source, is_first, assigned == done)));
  }
}

typedef int scan_string(const char *, const char *, va_list);
typedef int scan_stream(FILE *, const char *, va_list);

// A value that two threads may find out at once, and both the same.
static void *library_function(void **known, const char *name) {
  void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!function) {
    function = dlsym(RTLD_NEXT, name);
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
  }
  return function;
}

#define SCAN(type, name, from, where, is_c99)                                                                       \
  static void *known;                                                                                               \
  type *scan = library_function(&known, name);                                                                      \
  va_list copy;                                                                                                     \
  va_copy(copy, arguments);                                                                                         \
  int done = scan(from, format, arguments);                                                                         \
  look(&(struct source)where, format, is_c99, copy, done);                                                          \
  va_end(copy);                                                                                                     \
  return done

#define FORWARD(call)                                                                                               \
  va_list arguments;                                                                                                \
  va_start(arguments, format);                                                                                      \
  int done = call;                                                                                                  \
  va_end(arguments);                                                                                                \
  return done

#define FAMILY(prefix, is_c99)                                                                                      \
  int WATCHED(prefix##vsscanf)(const char *string, const char *format, va_list arguments) {                         \
    SCAN(scan_string, #prefix "vsscanf", string, {.string = string}, is_c99);                                       \
  }                                                                                                                 \
  int WATCHED(prefix##vfscanf)(FILE * stream, const char *format, va_list arguments) {                              \
    SCAN(scan_stream, #prefix "vfscanf", stream, {.stream = stream}, is_c99);                                       \
  }                                                                                                                 \
  int WATCHED(prefix##vscanf)(const char *format, va_list arguments) {                                              \
    return WATCHED(prefix##vfscanf)(stdin, format, arguments);                                                      \
  }                                                                                                                 \
  int WATCHED(prefix##sscanf)(const char *string, const char *format, ...) {                                        \
    FORWARD(WATCHED(prefix##vsscanf)(string, format, arguments));                                                   \
  }                                                                                                                 \
  int WATCHED(prefix##fscanf)(FILE * stream, const char *format, ...) {                                             \
    FORWARD(WATCHED(prefix##vfscanf)(stream, format, arguments));                                                   \
  }                                                                                                                 \
  int WATCHED(prefix##scanf)(const char *format, ...) { FORWARD(WATCHED(prefix##vfscanf)(stdin, format, arguments)); }

FAMILY(, 0)
FAMILY(__isoc99_, 1)
FAMILY(__isoc23_, 1)

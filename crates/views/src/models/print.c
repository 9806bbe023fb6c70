// Formatting into memory. Numbers and strings that depend on the input are written out by plain code, everything else by the
// library.

#include "decimal.h"
#include <locale.h>

extern int real_vsnprintf(char *, size_t, const char *, va_list) REAL(vsnprintf);
extern int real_snprintf(char *, size_t, const char *, ...) REAL(snprintf);

struct out {
  char *to;
  size_t room;
  // What is written, in this run; what would be written without a limit, for every input.
  size_t used, total;
  // What ends the string that was written last, if nothing came behind it: the string may be longer there.
  const char *end;
  // What errno was before anything happened.
  int error;
};

struct directive {
  int left, plus, space, alternative, zero;
  // Negative if there is none.
  int width, precision;
  // Sizes of integers in bytes; 0 for long double.
  int size;
  int is_long;
  char kind;
};

static void put_bytes(struct out *out, const char *bytes, size_t count, size_t length) {
  if (count == 0)
    return;
  out->end = NULL;
  if (out->used < out->room) {
    size_t left = out->room - out->used;
    __provoke_x_provoke_copy(out->to + out->used, bytes, count < left ? count : left);
  }
  out->used += count;
  out->total += length;
}

static void put_repeated(struct out *out, char byte, long count) {
  for (; count > 0; count--)
    put_bytes(out, &byte, 1, 1);
}

static void put_padded(struct out *out, const struct directive *d, const char *bytes, size_t count, size_t length) {
  long padding = (long)d->width - (long)count, needed = (long)d->width - (long)length;
  if (padding < 0)
    padding = 0;
  if (!d->left)
    put_repeated(out, ' ', padding);
  put_bytes(out, bytes, count, length);
  if (d->left)
    put_repeated(out, ' ', padding);
  // What is needed where it is more than nothing; without a branch, since it may be any number.
  out->total += (size_t)((needed & ~(needed >> 63)) - padding);
}

static void put_string(struct out *out, const struct directive *d, const char *string) {
  if (!string)
    string = d->precision >= 0 && d->precision < 6 ? "" : "(null)";
  size_t length = d->precision >= 0 ? strnlen(string, (size_t)d->precision) : strlen(string);
  size_t count = __provoke_x_provoke_concrete(length);
  put_padded(out, d, string, count, length);
  // How much padding there is depends on where the string ends, and so would what is read of a copy of its end.
  if (d->precision < 0 && d->width <= 0)
    out->end = string + count;
}

static int is_one_of(char c, const char *set) {
  for (; *set; set++)
    if (*set == c)
      return 1;
  return 0;
}

static void put_number(struct out *out, const struct directive *d, uint64_t value, int negative) {
  char digits[72];
  size_t count = 0;
  const char *alphabet = d->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char *at = digits + sizeof digits;
  int is_zero = value == 0;
  int is_hexadecimal = is_one_of(d->kind, "xXp");
  if (is_hexadecimal) {
    for (; value != 0; value >>= 4, count++)
      *--at = alphabet[value & 15];
  } else if (d->kind == 'o') {
    for (; value != 0; value >>= 3, count++)
      *--at = (char)('0' + (value & 7));
  } else {
    for (; value != 0; value /= 10, count++)
      *--at = (char)('0' + value % 10);
  }
  long precision = d->precision < 0 ? 1 : d->precision;
  if (d->alternative && d->kind == 'o' && (long)count >= precision)
    precision = (long)count + 1;
  char prefix[3];
  size_t prefixed = 0;
  if (is_one_of(d->kind, "dp")) {
    if (negative)
      prefix[prefixed++] = '-';
    else if (d->plus)
      prefix[prefixed++] = '+';
    else if (d->space)
      prefix[prefixed++] = ' ';
  }
  if (d->alternative && !is_zero && is_hexadecimal) {
    prefix[prefixed++] = '0';
    prefix[prefixed++] = d->kind == 'X' ? 'X' : 'x';
  }
  long zeros = precision - (long)count;
  if (zeros < 0)
    zeros = 0;
  long padding = (long)d->width - (long)count - (long)prefixed - zeros;
  if (padding > 0 && d->zero && !d->left && d->precision < 0) {
    zeros += padding;
    padding = 0;
  }
  if (!d->left)
    put_repeated(out, ' ', padding);
  put_bytes(out, prefix, prefixed, prefixed);
  put_repeated(out, '0', zeros);
  put_bytes(out, at, count, count);
  if (d->left)
    put_repeated(out, ' ', padding);
}

// As glibc writes addresses: they may have a sign.
static void put_address(struct out *out, const struct directive *d, const void *pointer) {
  struct directive number = *d;
  number.alternative = 1;
  if (pointer)
    put_number(out, &number, (uint64_t)(uintptr_t)pointer, 0);
  else
    put_padded(out, d, "(nil)", 5, 5);
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int number(const char **format) {
  int value = 0;
  while (is_digit(**format))
    value = value * 10 + (*(*format)++ - '0');
  return value;
}

static int size_of_long(const char **format) {
  ++*format;
  if (**format == 'l')
    ++*format;
  return 8;
}

static int size_of_short(const char **format) {
  ++*format;
  if (**format != 'h')
    return 2;
  ++*format;
  return 1;
}

// The directive behind a %; 0 if it is one that only the library knows.
static int parse(const char **format, struct directive *d, va_list *arguments) {
  *d = (struct directive){.width = -1, .precision = -1, .size = 4};
  for (;; ++*format) {
    if (**format == '-')
      d->left = 1;
    else if (**format == '+')
      d->plus = 1;
    else if (**format == ' ')
      d->space = 1;
    else if (**format == '#')
      d->alternative = 1;
    else if (**format == '0')
      d->zero = 1;
    else
      break;
  }
  if (**format == '*') {
    ++*format;
    d->width = va_arg(*arguments, int);
    if (d->width < 0) {
      d->left = 1;
      d->width = -d->width;
    }
  } else if (is_digit(**format)) {
    d->width = number(format);
  }
  if (**format == '.') {
    ++*format;
    if (**format == '*') {
      ++*format;
      d->precision = va_arg(*arguments, int);
    } else {
      d->precision = number(format);
    }
  }
  if (**format == 'l') {
    d->size = size_of_long(format);
    d->is_long = 1;
  } else if (**format == 'h') {
    d->size = size_of_short(format);
  } else if (is_one_of(**format, "jztq")) {
    ++*format;
    d->size = 8;
  } else if (**format == 'L') {
    ++*format;
    d->size = 0;
  }
  d->kind = *(*format)++;
  if (d->kind == 'i')
    d->kind = 'd';
  return is_one_of(d->kind, "diuxXocspnm%eEfFgGaA") && !(d->is_long && is_one_of(d->kind, "cs"));
}

// Whether the library has to do all of it: numbered arguments, wide characters, what nobody knows.
static int is_for_library(const char *format) {
  for (; *format; format++) {
    if (*format != '%')
      continue;
    format++;
    while (is_one_of(*format, "-+ #0123456789.*"))
      format++;
    int is_long = *format == 'l';
    while (is_one_of(*format, "lhjztqL"))
      format++;
    if (!is_one_of(*format, "diuxXocspnm%eEfFgGaA") || (is_long && is_one_of(*format, "cs")))
      return 1;
  }
  return 0;
}

// Digits and what stands between and behind them, written from the end.
struct digits {
  char text[80];
  char *at;
};

// The digits of a number behind the point and before it, of which there is at least one. A point is left out where nothing comes behind it,
// and so are zeros at the end, if that is wanted.
static void put_decimal(struct digits *digits, uint64_t number, int behind, int is_short) {
  int is_end = is_short;
  char *end = digits->at;
  for (int i = 0; i < behind; i++, number /= 10) {
    char digit = (char)('0' + number % 10);
    if (is_end && digit == '0')
      continue;
    is_end = 0;
    *--digits->at = digit;
  }
  if (digits->at != end)
    *--digits->at = '.';
  do {
    *--digits->at = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
}

// The exponent of ten that a number has when it is written with so many digits behind the first one; as it is in this run.
static int exponent_of(double number, int behind) {
  char text[64] = "";
  real_snprintf(text, sizeof text, "%.*e", behind, concrete_double(number));
  const char *at = text;
  while (*at && *at != 'e')
    at++;
  // There are none of what is no number, and nothing is made of it.
  if (*at == '\0')
    return 0;
  int exponent = 0, goes_down = at[1] == '-';
  for (at += 2; *at; at++)
    exponent = exponent * 10 + (*at - '0');
  return goes_down ? -exponent : exponent;
}

static void put_exponent(struct digits *digits, int exponent, char letter) {
  int magnitude = exponent < 0 ? -exponent : exponent;
  for (int places = 0; places < 2 || magnitude != 0; places++, magnitude /= 10)
    *--digits->at = (char)('0' + magnitude % 10);
  *--digits->at = exponent < 0 ? '-' : '+';
  *--digits->at = letter;
}

// The digits of a number as `%e` and `%g` write it.
static int find_significant(const struct directive *d, double number, struct digits *digits) {
  int is_short = d->kind == 'g' || d->kind == 'G', precision = d->precision < 0 ? 6 : d->precision;
  if (is_short)
    precision = precision == 0 ? 0 : precision - 1;
  if (precision >= MOST_DIGITS)
    return 0;
  uint64_t integer = 0;
  int exponent = 0;
  if (number != 0) {
    exponent = exponent_of(number, precision);
    if (!scaled_to_integer(number, precision - exponent, &integer))
      return 0;
    if (integer < powers_of_ten[precision] || integer >= powers_of_ten[precision + 1])
      return 0;
  }
  if (is_short && exponent >= -4 && exponent <= precision) {
    put_decimal(digits, integer, precision - exponent, 1);
  } else {
    put_exponent(digits, exponent, d->kind == 'e' || d->kind == 'g' ? 'e' : 'E');
    put_decimal(digits, integer, precision, is_short);
  }
  return 1;
}

static int find_digits(const struct directive *d, double number, struct digits *digits) {
  if (d->kind == 'f' || d->kind == 'F') {
    uint64_t integer;
    int precision = d->precision < 0 ? 6 : d->precision;
    if (precision > 31 || !scaled_to_integer(number, precision, &integer))
      return 0;
    put_decimal(digits, integer, precision, 0);
    return 1;
  }
  return find_significant(d, number, digits);
}

// A number that depends on the input. Whether it could be written.
static int put_double(struct out *out, const struct directive *d, double number) {
  struct digits digits;
  digits.at = digits.text + sizeof digits.text;
  const char *point = localeconv()->decimal_point;
  int is_usual = point[0] == '.' && point[1] == '\0' && !d->alternative && is_one_of(d->kind, "eEfFgG");
  if (!is_usual || is_concrete(&number, sizeof number) || !find_digits(d, number, &digits))
    return 0;
  char sign = bits_of(number) >> 63 ? '-' : d->plus ? '+' : d->space ? ' ' : '\0';
  long count = digits.text + sizeof digits.text - digits.at, padding = (long)d->width - count - (sign != '\0');
  if (!d->left && !d->zero)
    put_repeated(out, ' ', padding);
  if (sign)
    put_bytes(out, &sign, 1, 1);
  if (!d->left && d->zero)
    put_repeated(out, '0', padding);
  put_bytes(out, digits.at, (size_t)count, (size_t)count);
  if (d->left)
    put_repeated(out, ' ', padding);
  return 1;
}

// What the library writes for one directive.
static void put_by_library(struct out *out, const struct directive *d, va_list *arguments) {
  char directive[16], text[1024];
  char *at = directive;
  *at++ = '%';
  if (d->left)
    *at++ = '-';
  if (d->plus)
    *at++ = '+';
  if (d->space)
    *at++ = ' ';
  if (d->alternative)
    *at++ = '#';
  if (d->zero)
    *at++ = '0';
  *at++ = '*';
  *at++ = '.';
  *at++ = '*';
  int width = d->width < 0 ? 0 : d->width, count;
  if (d->size == 0)
    *at++ = 'L';
  *at++ = d->kind;
  *at = '\0';
  __provoke_x_provoke_forget(text, sizeof text);
  union {
    double number;
    long double wide;
  } value;
  for (char *space = text;;) {
    size_t room = space == text ? sizeof text : (size_t)count + 1;
    if (d->kind == 'm') {
      errno = out->error;
      count = real_snprintf(space, room, directive, width, d->precision);
    } else if (d->size == 0) {
      if (space == text)
        value.wide = va_arg(*arguments, long double);
      count = real_snprintf(space, room, directive, width, d->precision, value.wide);
    } else {
      if (space == text) {
        value.number = va_arg(*arguments, double);
        if (put_double(out, d, value.number))
          return;
      }
      count = real_snprintf(space, room, directive, width, d->precision, value.number);
    }
    if (count < 0)
      return;
    if ((size_t)count < room || space != text) {
      put_bytes(out, space, (size_t)count, (size_t)count);
      if (space != text)
        free(space);
      return;
    }
    space = malloc((size_t)count + 1);
    if (!space)
      return;
  }
}

static void store_count(const struct directive *d, void *to, size_t count) {
  if (d->size == 8)
    *(long *)to = (long)count;
  else if (d->size == 4)
    *(int *)to = (int)count;
  else if (d->size == 2)
    *(short *)to = (short)count;
  else
    *(signed char *)to = (signed char)count;
}

static void put_directive(struct out *out, const struct directive *d, va_list *arguments) {
  if (d->kind == '%') {
    put_repeated(out, '%', 1);
  } else if (d->kind == 's') {
    put_string(out, d, va_arg(*arguments, const char *));
  } else if (d->kind == 'c') {
    char byte = (char)va_arg(*arguments, int);
    put_padded(out, d, &byte, 1, 1);
  } else if (d->kind == 'n') {
    store_count(d, va_arg(*arguments, void *), out->total);
  } else if (d->kind == 'd') {
    int64_t value = d->size == 8 ? va_arg(*arguments, long) : va_arg(*arguments, int);
    if (d->size == 2)
      value = (short)value;
    if (d->size == 1)
      value = (signed char)value;
    int negative = value < 0;
    put_number(out, d, negative ? 0 - (uint64_t)value : (uint64_t)value, negative);
  } else if (is_one_of(d->kind, "uxXo")) {
    uint64_t value = d->size == 8 ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
    if (d->size == 2)
      value = (unsigned short)value;
    if (d->size == 1)
      value = (unsigned char)value;
    put_number(out, d, value, 0);
  } else if (d->kind == 'p') {
    put_address(out, d, va_arg(*arguments, void *));
  } else {
    put_by_library(out, d, arguments);
  }
}

static int by_library(char *to, size_t size, const char *format, va_list arguments) {
  int length = real_vsnprintf(to, size, format, arguments);
  size_t written = length < 0 ? 0 : (size_t)length + 1;
  __provoke_x_provoke_forget(to, written < size ? written : size);
  return length;
}

// With all that there is room for; a size of SIZE_MAX is none.
static int format_into(char *to, size_t size, const char *format, va_list arguments) {
  if (is_for_library(format))
    return by_library(to, size, format, arguments);
  struct out out = {to, size == 0 ? 0 : size - 1, 0, 0, NULL, errno};
  va_list rest;
  va_copy(rest, arguments);
  while (*format) {
    const char *start = format;
    while (*format && *format != '%')
      format++;
    put_bytes(&out, start, (size_t)(format - start), (size_t)(format - start));
    if (*format == '\0')
      break;
    format++;
    struct directive directive;
    parse(&format, &directive, &rest);
    put_directive(&out, &directive, &rest);
  }
  va_end(rest);
  if (size == 0)
    return (int)out.total;
  // A string that does not fit is cut off, and ends where nothing else can.
  if (out.end && (size == SIZE_MAX || out.total <= out.room))
    __provoke_x_provoke_copy(to + out.used, out.end, 1);
  else
    to[out.used < out.room ? out.used : out.room] = '\0';
  __provoke_x_provoke_written(to, out.total + 1, size);
  return (int)out.total;
}

int MODEL(vsprintf)(char *to, const char *format, va_list arguments) {
  return format_into(to, SIZE_MAX, format, arguments);
}

int MODEL(vsnprintf)(char *to, size_t size, const char *format, va_list arguments) {
  return format_into(to, size, format, arguments);
}

int MODEL(__vsprintf_chk)(char *to, int flag, size_t room, const char *format, va_list arguments) {
  (void)flag, (void)room;
  return format_into(to, SIZE_MAX, format, arguments);
}

int MODEL(__vsnprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments) {
  (void)flag, (void)room;
  return format_into(to, size, format, arguments);
}

int MODEL(vasprintf)(char **to, const char *format, va_list arguments) {
  int length = format_into(NULL, 0, format, arguments);
  *to = malloc((size_t)length + 1);
  return *to ? format_into(*to, SIZE_MAX, format, arguments) : -1;
}

int MODEL(__vasprintf_chk)(char **to, int flag, const char *format, va_list arguments) {
  (void)flag;
  return vasprintf(to, format, arguments);
}

#define FORWARD(call)                                                                                               \
  va_list arguments;                                                                                                \
  va_start(arguments, format);                                                                                      \
  int length = call;                                                                                                \
  va_end(arguments);                                                                                                \
  return length

int MODEL(sprintf)(char *to, const char *format, ...) { FORWARD(format_into(to, SIZE_MAX, format, arguments)); }

int MODEL(snprintf)(char *to, size_t size, const char *format, ...) {
  FORWARD(format_into(to, size, format, arguments));
}

int MODEL(__sprintf_chk)(char *to, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  FORWARD(format_into(to, SIZE_MAX, format, arguments));
}

int MODEL(__snprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  FORWARD(format_into(to, size, format, arguments));
}

int MODEL(asprintf)(char **to, const char *format, ...) { FORWARD(vasprintf(to, format, arguments)); }

int MODEL(__asprintf_chk)(char **to, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(vasprintf(to, format, arguments));
}

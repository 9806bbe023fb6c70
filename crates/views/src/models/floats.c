// Floating-point numbers in strings: where they end is followed; what they are too, up to 15 digits and powers of ten to 22.
// Modelled: summary

#include "model.h"
#include <locale.h>

extern double real_strtod(const char *, char **) REAL(strtod);
extern float real_strtof(const char *, char **) REAL(strtof);
extern long double real_strtold(const char *, char **) REAL(strtold);

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static char folded(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

static int is_digit(char c, int base) {
  return (c >= '0' && c <= '9') || (base == 16 && folded(c) >= 'a' && folded(c) <= 'f');
}

static int begins_with(const char *string, const char *word) {
  for (; *word; string++, word++)
    if (folded(*string) != *word)
      return 0;
  return 1;
}

// Behind `nan` there may be any word in brackets.
static const char *end_of_nan(const char *at) {
  if (*at != '(')
    return at;
  const char *rest = at + 1;
  while (is_digit(*rest, 10) || (folded(*rest) >= 'a' && folded(*rest) <= 'z') || *rest == '_')
    rest++;
  return *rest == ')' ? rest + 1 : at;
}

// Digits with at most one point between them, and an exponent; NULL if there is no digit.
static const char *end_of_digits(const char *at, int base) {
  int digits = 0;
  for (int points = 0; is_digit(*at, base) || (*at == '.' && points == 0); at++) {
    points += *at == '.';
    digits += *at != '.';
  }
  if (digits == 0)
    return NULL;
  if (folded(*at) == (base == 16 ? 'p' : 'e')) {
    const char *exponent = at + 1;
    if (*exponent == '+' || *exponent == '-')
      exponent++;
    if (is_digit(*exponent, 10)) {
      while (is_digit(*exponent, 10))
        exponent++;
      at = exponent;
    }
  }
  return at;
}

// Where the number that begins here ends; NULL if there is none.
static const char *end_of_number(const char *at) {
  if (*at == '+' || *at == '-')
    at++;
  // In this order: most numbers have no x, and then nothing is decided about their first digit.
  if (is_digit(*at, 10) && folded(at[1]) == 'x' && *at == '0') {
    const char *end = end_of_digits(at + 2, 16);
    return end ? end : at + 1;
  }
  const char *end = end_of_digits(at, 10);
  if (end)
    return end;
  if (begins_with(at, "infinity"))
    return at + 8;
  if (begins_with(at, "inf"))
    return at + 3;
  return begins_with(at, "nan") ? end_of_nan(at + 3) : NULL;
}

// Whether a number is a whole one of at most 53 bits times or divided by a power of ten that is a double itself. Both are exact then, and
// so the result is rounded once, as the library has to do it.
static int find_decimal(const char *at, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const uint64_t exact = ((uint64_t)1 << 53) - 1;
  uint64_t digits = 0;
  int is_negative = *at == '-', count = 0, scale = 0, points = 0;
  if (*at == '+' || *at == '-')
    at++;
  if (is_digit(*at, 10) && folded(at[1]) == 'x')
    return 0;
  for (; is_digit(*at, 10) || (*at == '.' && points == 0); at++) {
    if (*at == '.') {
      points = 1;
      continue;
    }
    // No more than 64 bits hold.
    if (++count > 19)
      return 0;
    digits = digits * 10 + (uint64_t)(*at - '0');
    scale -= points;
  }
  if (count == 0 || digits > exact)
    return 0;
  if (folded(*at) == 'e') {
    const char *rest = at + 1;
    int goes_down = *rest == '-', exponent = 0;
    if (*rest == '+' || *rest == '-')
      rest++;
    for (int places = 0; is_digit(*rest, 10); rest++) {
      if (++places > 3)
        return 0;
      exponent = exponent * 10 + (*rest - '0');
    }
    scale += goes_down ? -exponent : exponent;
  }
  if (scale < -22 || scale > 22)
    return 0;
  double number = (double)(digits & exact);
  number = scale < 0 ? number / powers[-scale] : number * powers[scale];
  *value = is_negative ? -number : number;
  return 1;
}

// A copy of a number, so that nothing but the number is shown to the library.
struct number {
  const char *start;
  char *text;
  char few[64];
};

// Whether there is a number, and what is to be done about it; where it ends.
static int find(const char *string, char **end, struct number *number) {
  const char *start = string;
  while (is_space(*start))
    start++;
  const char *behind = end_of_number(start);
  if (end)
    *end = (char *)(behind ? behind : string);
  if (!behind)
    return 0;
  number->start = start;
  size_t length = (size_t)(behind - start);
  number->text = length < sizeof number->few ? number->few : malloc(length + 1);
  if (!number->text)
    return 0;
  __provoke_x_provoke_copy(number->text, start, length);
  number->text[length] = '\0';
  return 1;
}

static void drop(struct number *number) {
  if (number->text != number->few)
    free(number->text);
}

// The library knows other points.
static int is_point_usual(void) {
  const char *point = localeconv()->decimal_point;
  return point[0] == '.' && point[1] == '\0';
}

static int is_same_double(const struct number *number, double decimal) {
  (void)number, (void)decimal;
  return 1;
}

// What is rounded twice can be next to what is rounded once, if the first time ends in the middle of two numbers. Whether it is so in this
// run is asked of the library, which sees no labels.
static int is_same_float(const struct number *number, double decimal) {
  size_t length = 0;
  while (length < sizeof number->few - 1 && __provoke_x_provoke_concrete((size_t)number->text[length]) != 0)
    length++;
  char text[sizeof number->few];
  if (length == sizeof text - 1)
    return 0;
  __provoke_x_provoke_copy(text, number->text, length);
  text[length] = '\0';
  __provoke_x_provoke_forget(text, sizeof text);
  union {
    float number;
    uint32_t bits;
  } here = {(float)decimal}, there = {real_strtof(text, NULL)};
  return (uint32_t)__provoke_x_provoke_concrete(here.bits) == there.bits;
}

#define FLOAT(name, type)                                                                                           \
  type MODEL(name)(const char *string, char **end) {                                                                \
    struct number number;                                                                                           \
    if (!is_point_usual())                                                                                          \
      return real_##name(string, end);                                                                              \
    if (!find(string, end, &number))                                                                                \
      return 0;                                                                                                     \
    double decimal;                                                                                                 \
    type value;                                                                                                     \
    if (find_decimal(number.start, &decimal) && is_same_##type(&number, decimal))                                   \
      value = (type)decimal;                                                                                        \
    else                                                                                                            \
      value = real_##name(number.text, NULL);                                                                       \
    drop(&number);                                                                                                  \
    return value;                                                                                                   \
  }

FLOAT(strtod, double)
FLOAT(strtof, float)

// No label stands for one of these.
long double MODEL(strtold)(const char *string, char **end) {
  struct number number;
  if (!is_point_usual())
    return real_strtold(string, end);
  if (!find(string, end, &number))
    return 0;
  long double value = real_strtold(number.text, NULL);
  drop(&number);
  return value;
}

double MODEL(atof)(const char *string) { return strtod(string, NULL); }

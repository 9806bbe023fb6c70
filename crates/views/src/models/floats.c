// Floating-point numbers in strings: where they end is followed, what they are is taken as it was.
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
  if (is_digit(*at, 10) && at[0] == '0' && folded(at[1]) == 'x') {
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

// A copy of a number, so that nothing but the number is shown to the library.
struct number {
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

#define FLOAT(name, type)                                                                                           \
  type MODEL(name)(const char *string, char **end) {                                                                \
    struct number number;                                                                                           \
    if (!is_point_usual())                                                                                          \
      return real_##name(string, end);                                                                              \
    if (!find(string, end, &number))                                                                                \
      return 0;                                                                                                     \
    type value = real_##name(number.text, NULL);                                                                    \
    drop(&number);                                                                                                  \
    return value;                                                                                                   \
  }

FLOAT(strtod, double)
FLOAT(strtof, float)
FLOAT(strtold, long double)

double MODEL(atof)(const char *string) { return strtod(string, NULL); }

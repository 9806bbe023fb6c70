// Numbers in strings.

#include "model.h"

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

// A base that may be 0 or 2, and whether C23 lets such numbers begin with 0b.
struct base {
  int number, knows_binary;
};

// What all of them have in common: the magnitude, at most `most` or `most_negative`.
static unsigned long long convert(const char *string, char **end, struct base given, unsigned long long most,
                                  unsigned long long most_negative, int *negative) {
  int base = given.number;
  const char *at = string;
  *negative = 0;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  if (end)
    *end = (char *)string;
  while (is_space(*at))
    at++;
  if (*at == '-') {
    *negative = 1;
    at++;
  } else if (*at == '+') {
    at++;
  }
  if ((base == 0 || base == 16 || (base == 2 && given.knows_binary)) && *at == '0') {
    if (base != 2 && (at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16) {
      at += 2;
      base = 16;
    } else if (base != 16 && given.knows_binary && (at[1] == 'b' || at[1] == 'B') && digit(at[2]) < 2) {
      at += 2;
      base = 2;
    } else if (base == 0) {
      base = 8;
    }
  } else if (base == 0) {
    base = 10;
  }
  unsigned long long limit = *negative ? most_negative : most, value = 0;
  int any = 0, overflown = 0;
  for (;; at++) {
    int next = digit(*at);
    if (next >= base)
      break;
    any = 1;
    if (overflown)
      continue;
    if (value > limit / (unsigned)base || value * (unsigned)base > limit - (unsigned)next)
      overflown = 1;
    else
      value = value * (unsigned)base + (unsigned)next;
  }
  if (!any)
    return 0;
  if (end)
    *end = (char *)at;
  if (overflown) {
    errno = ERANGE;
    return limit;
  }
  return value;
}

static long long convert_signed(const char *string, char **end, struct base base) {
  int negative;
  unsigned long long value = convert(string, end, base, LLONG_MAX, 1ull + LLONG_MAX, &negative);
  return (long long)(negative ? 0 - value : value);
}

static unsigned long long convert_unsigned(const char *string, char **end, struct base base) {
  int negative, before = errno;
  errno = 0;
  unsigned long long value = convert(string, end, base, ULLONG_MAX, ULLONG_MAX, &negative);
  int is_out_of_range = errno == ERANGE;
  if (errno == 0)
    errno = before;
  return negative && !is_out_of_range ? 0 - value : value;
}

#define SIGNED(name, type, knows_binary)                                                                            \
  type MODEL(name)(const char *string, char **end, int base) {                                                      \
    return (type)convert_signed(string, end, (struct base){base, knows_binary});                                    \
  }
#define UNSIGNED(name, type, knows_binary)                                                                          \
  type MODEL(name)(const char *string, char **end, int base) {                                                      \
    return (type)convert_unsigned(string, end, (struct base){base, knows_binary});                                  \
  }

SIGNED(strtol, long, 0)
SIGNED(strtoll, long long, 0)
SIGNED(strtoq, long long, 0)
SIGNED(strtoimax, intmax_t, 0)
SIGNED(__isoc23_strtol, long, 1)
SIGNED(__isoc23_strtoll, long long, 1)
SIGNED(__isoc23_strtoimax, intmax_t, 1)
UNSIGNED(strtoul, unsigned long, 0)
UNSIGNED(strtoull, unsigned long long, 0)
UNSIGNED(strtouq, unsigned long long, 0)
UNSIGNED(strtoumax, uintmax_t, 0)
UNSIGNED(__isoc23_strtoul, unsigned long, 1)
UNSIGNED(__isoc23_strtoull, unsigned long long, 1)
UNSIGNED(__isoc23_strtoumax, uintmax_t, 1)

static const struct base decimal = {10, 0};

int MODEL(atoi)(const char *string) { return (int)convert_signed(string, NULL, decimal); }

long MODEL(atol)(const char *string) { return (long)convert_signed(string, NULL, decimal); }

long long MODEL(atoll)(const char *string) { return convert_signed(string, NULL, decimal); }

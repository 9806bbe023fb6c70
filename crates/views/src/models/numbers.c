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

// What all of them have in common: the magnitude, at most `most` or `most_negative`.
static unsigned long long convert(const char *string, char **end, int base, unsigned long long most,
                                  unsigned long long most_negative, int *negative) {
  const char *at = string;
  *negative = 0;
  if (end)
    *end = (char *)string;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  while (is_space(*at))
    at++;
  if (*at == '-') {
    *negative = 1;
    at++;
  } else if (*at == '+') {
    at++;
  }
  if ((base == 0 || base == 16) && *at == '0') {
    if ((at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16) {
      at += 2;
      base = 16;
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

static long long convert_signed(const char *string, char **end, int base) {
  int negative;
  unsigned long long value = convert(string, end, base, LLONG_MAX, 1ull + LLONG_MAX, &negative);
  return (long long)(negative ? 0 - value : value);
}

static unsigned long long convert_unsigned(const char *string, char **end, int base) {
  int negative, before = errno;
  errno = 0;
  unsigned long long value = convert(string, end, base, ULLONG_MAX, ULLONG_MAX, &negative);
  int is_out_of_range = errno == ERANGE;
  if (errno == 0)
    errno = before;
  return negative && !is_out_of_range ? 0 - value : value;
}

#define SIGNED(name, type)                                                                                          \
  type MODEL(name)(const char *string, char **end, int base) { return (type)convert_signed(string, end, base); }
#define UNSIGNED(name, type)                                                                                        \
  type MODEL(name)(const char *string, char **end, int base) { return (type)convert_unsigned(string, end, base); }

SIGNED(strtol, long)
SIGNED(strtoll, long long)
SIGNED(strtoq, long long)
SIGNED(strtoimax, intmax_t)
SIGNED(__isoc23_strtol, long)
SIGNED(__isoc23_strtoll, long long)
SIGNED(__isoc23_strtoimax, intmax_t)
UNSIGNED(strtoul, unsigned long)
UNSIGNED(strtoull, unsigned long long)
UNSIGNED(strtouq, unsigned long long)
UNSIGNED(strtoumax, uintmax_t)
UNSIGNED(__isoc23_strtoul, unsigned long)
UNSIGNED(__isoc23_strtoull, unsigned long long)
UNSIGNED(__isoc23_strtoumax, uintmax_t)

int MODEL(atoi)(const char *string) { return (int)convert_signed(string, NULL, 10); }

long MODEL(atol)(const char *string) { return (long)convert_signed(string, NULL, 10); }

long long MODEL(atoll)(const char *string) { return convert_signed(string, NULL, 10); }

// Doubles as decimal numbers, exactly: with integers of 128 bits, where these are enough.

#ifndef DECIMAL_H
#define DECIMAL_H

#include "model.h"

typedef unsigned __int128 wide;

static const uint64_t powers_of_ten[] = {1ull,
                                         10ull,
                                         100ull,
                                         1000ull,
                                         10000ull,
                                         100000ull,
                                         1000000ull,
                                         10000000ull,
                                         100000000ull,
                                         1000000000ull,
                                         10000000000ull,
                                         100000000000ull,
                                         1000000000000ull,
                                         10000000000000ull,
                                         100000000000000ull,
                                         1000000000000000ull,
                                         10000000000000000ull,
                                         100000000000000000ull,
                                         1000000000000000000ull};

// The significant digits that are written at most.
#define MOST_DIGITS 18

static inline uint64_t bits_of(double number) {
  union {
    double number;
    uint64_t bits;
  } both = {number};
  return both.bits;
}

// The number as it was in this run.
static inline double concrete_double(double number) {
  union {
    uint64_t bits;
    double number;
  } both = {__provoke_x_provoke_concrete(bits_of(number))};
  return both.number;
}

static inline wide power_of_five(int exponent) {
  wide power = 1;
  for (; exponent > 0; exponent--)
    power *= 5;
  return power;
}

// A quotient of integers, rounded to the nearest and then to even.
static inline wide rounded(wide number, wide divisor) {
  wide quotient = number / divisor, rest = number % divisor, other = divisor - rest;
  return quotient + (wide)((rest > other) | ((rest == other) & (int)(quotient & 1)));
}

// The magnitude of a finite number times a power of ten, rounded to an integer. Whether it could be computed; how large the number is
// roughly is decided on the way.
static inline int scaled_to_integer(double number, int scale, uint64_t *integer) {
  uint64_t bits = bits_of(number), exponent = bits >> 52 & 0x7ff, significand = bits & (((uint64_t)1 << 52) - 1);
  uint64_t here = __provoke_x_provoke_concrete(exponent);
  if (exponent != here || here == 0x7ff)
    return 0;
  if (here != 0)
    significand |= (uint64_t)1 << 52;
  // What is left is significand * 5^scale * 2^shift.
  int shift = (here == 0 ? 1 : (int)here) - 1075 + scale;
  wide value;
  if (scale < -26 || scale > 31 || shift < -120)
    return 0;
  if (scale >= 0) {
    value = significand * power_of_five(scale);
    if (shift > 10)
      return 0;
    value = shift >= 0 ? value << shift : rounded(value, (wide)1 << -shift);
  } else if (shift >= 0) {
    if (shift > 73)
      return 0;
    value = rounded((wide)significand << shift, power_of_five(-scale));
  } else {
    if (shift < -63)
      return 0;
    value = rounded(significand, power_of_five(-scale) << -shift);
  }
  if (value >= powers_of_ten[MOST_DIGITS])
    return 0;
  *integer = (uint64_t)value;
  return 1;
}

#endif

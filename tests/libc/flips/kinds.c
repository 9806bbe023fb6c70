// Every kind of floating-point number is the one of some input. Each comparison gets eight bytes of its own.
// input: stdin "aaaaaaaa" * 9
// cflags: -lm -fno-builtin
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WANT(number, condition)                                                                                     \
  if (condition)                                                                                                    \
    printf("got %d\n", number)

int __fpclassify(double), __fpclassifyf(float), __isnan(double), __isinf(double), __finite(double), __signbit(double);

static char in[9 * 8];

static double next(void) {
  static int count;
  double number;
  memcpy(&number, in + 8 * count++, sizeof number);
  return number;
}

static float next_float(void) {
  double both = next();
  float number;
  memcpy(&number, &both, sizeof number);
  return number;
}

int main(void) {
  if (read(0, in, sizeof in) != sizeof in)
    return 1;
  WANT(1, __fpclassify(next()) == 0);
  WANT(2, __fpclassify(next()) == 1);
  WANT(3, __fpclassify(next()) == 2);
  WANT(4, __fpclassify(next()) == 3);
  WANT(5, __fpclassifyf(next_float()) == 3);
  WANT(6, __isnan(next()));
  WANT(7, __isinf(next()) < 0);
  WANT(8, !__finite(next()));
  WANT(9, __signbit(next()));
  return 0;
}

// Every number that is read here is another one for some input. Each comparison gets eight bytes of its own.
// input: stdin "aaaaaaaa" * 14
// cflags: -lm
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WANT(number, condition)                                                                                     \
  if (condition)                                                                                                    \
    printf("got %d\n", number)

static char in[14 * 8];

// The next eight bytes as a string of octal digits with a point between them.
static char *next(void) {
  static char strings[14][9];
  static int count;
  char *string = strings[count];
  for (int i = 0; i < 8; i++)
    string[i] = (char)('0' + (in[8 * count + i] & 7));
  string[4] = '.';
  count++;
  return string;
}

int main(void) {
  if (read(0, in, sizeof in) != sizeof in)
    return 1;
  WANT(1, strtod(next(), NULL) == 1234.5);
  WANT(2, strtof(next(), NULL) > 7777.75f);
  WANT(3, (int)atof(next()) == 4321);
  double a = 0;
  float b = 0;
  sscanf(next(), "%lf", &a);
  WANT(4, a < 0.125);
  sscanf(next(), "%f", &b);
  WANT(5, b == 1000);
  WANT(6, strtod(next(), NULL) * 2 + 1 == 247);
  WANT(7, floor(strtod(next(), NULL)) == 17);
  WANT(8, sqrt(strtod(next(), NULL)) == 16);
  WANT(9, (long)(strtod(next(), NULL) * 100) == 123456);
  a = strtod(next(), NULL);
  WANT(10, a != (double)(int)a && a > 7000);
  WANT(11, fabs(strtod(next(), NULL) - 64) < 0.5);
  WANT(12, strtod(next(), NULL) / 3 == 21);
  WANT(13, fmod(trunc(strtod(next(), NULL)), 100) == 42);
  WANT(14, lround(strtod(next(), NULL)) == 77);
  return 0;
}

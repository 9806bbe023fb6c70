// Kinds of floating-point numbers, as programs that are compiled for size ask for them: seen in Duktape.
// cflags: -lm -fno-builtin
#include "random.h"

int __fpclassify(double), __fpclassifyf(float), __isnan(double), __isnanf(float), __isinf(double), __isinff(float);
int __finite(double), __finitef(float), __signbit(double), __signbitf(float);
int isnan(double), isinf(double), finite(double);

int main(void) {
  read_input();
  // Bits that the exponent is made of are often all the same.
  static const unsigned char starts[] = {0x00, 0x7f, 0x80, 0xff, 0x3f, 0xf0};
  for (int round = 0; round < 16; round++) {
    unsigned char bytes[8] = {0};
    for (int i = 7; i > 0; i--)
      bytes[i] = i > 5 || next_byte() % 8 == 0 ? starts[next_byte() % sizeof starts] : 0;
    bytes[0] = next_byte() % 2;
    double number;
    float small;
    memcpy(&number, bytes, sizeof number);
    memcpy(&small, bytes + 4, sizeof small);
    printf("%d %d %d %d %d\n", __fpclassify(number), __isnan(number), __isinf(number), __finite(number), __signbit(number));
    printf("%d %d %d %d %d\n", __fpclassifyf(small), __isnanf(small), __isinff(small), __finitef(small), __signbitf(small));
    printf("%d %d %d\n", isnan(number), isinf(number), finite(number));
  }
  return 0;
}

// Kinds of floating-point numbers: what is left of `fpclassify` and `isnan` as calls where a program is compiled for size.

#include "model.h"
#include <math.h>

// As short as a call, so that numbers without labels cost what they always did.
#define SHORT __attribute__((always_inline))

// `infinite` are the bits of infinity; what lies above them, but for the sign, is no number. Nothing is decided here: what comes out is
// computed, and decided about where it is looked at. For a sign the library gives the bit where the processor leaves it.
#define KINDS(suffix, type, bits, infinite)                                                                         \
  static SHORT bits bits##_of(type number) {                                                                        \
    bits all;                                                                                                       \
    __builtin_memcpy(&all, &number, sizeof all);                                                                    \
    return all;                                                                                                     \
  }                                                                                                                 \
  static SHORT bits bits##_without_sign(type number) { return bits##_of(number) & (bits)-1 >> 1; }                  \
  static SHORT int bits##_infinity(type number) {                                                                   \
    int sign = (int)(bits##_of(number) >> (8 * sizeof number - 1));                                                 \
    return (bits##_without_sign(number) == infinite) * (1 - 2 * sign);                                              \
  }                                                                                                                 \
  SHORT int MODEL(__fpclassify##suffix)(type number) {                                                              \
    bits rest = bits##_without_sign(number);                                                                        \
    return FP_ZERO + (rest > 0) + (rest >= (infinite & -infinite)) - 3 * (rest >= infinite) - (rest > infinite);    \
  }                                                                                                                 \
  SHORT int MODEL(__isnan##suffix)(type number) { return bits##_without_sign(number) > infinite; }                  \
  SHORT int MODEL(isnan##suffix)(type number) { return bits##_without_sign(number) > infinite; }                    \
  SHORT int MODEL(__isinf##suffix)(type number) { return bits##_infinity(number); }                                 \
  SHORT int MODEL(isinf##suffix)(type number) { return bits##_infinity(number); }                                   \
  SHORT int MODEL(__finite##suffix)(type number) { return bits##_without_sign(number) < infinite; }                 \
  SHORT int MODEL(finite##suffix)(type number) { return bits##_without_sign(number) < infinite; }                   \
  SHORT int MODEL(__signbit##suffix)(type number) { return (int)(bits##_of(number) >> (8 * sizeof number - 1)) << SIGN##suffix; }

// They are counted.
_Static_assert(FP_NAN == 0 && FP_INFINITE == 1 && FP_ZERO == 2 && FP_SUBNORMAL == 3 && FP_NORMAL == 4, "kinds");

#define SIGN 7
#define SIGNf 3

KINDS(, double, uint64_t, UINT64_C(0x7ff0000000000000))
KINDS(f, float, uint32_t, UINT32_C(0x7f800000))

// Roots, remainders of whole numbers and nearest integers. What else is exact about floating-point numbers the compiler knows without a call.

#include "model.h"

// As short as a call, so that numbers without labels cost what they always did.
#define SHORT __attribute__((always_inline))

#define ROOT(name, type)                                                                                            \
  SHORT type MODEL(name)(type number) {                                                                             \
    if (number < 0)                                                                                                 \
      errno = EDOM;                                                                                                 \
    return __builtin_elementwise_sqrt(number);                                                                      \
  }

ROOT(sqrt, double)
ROOT(sqrtf, float)

// The remainder of whole numbers is that of integers; of others the library knows it.
#define REMAINDER(name, type, sign)                                                                                 \
  extern type real_##name(type, type) REAL(name);                                                                   \
  type MODEL(name)(type a, type b) {                                                                                \
    const type limit = (type)(1ll << 53);                                                                           \
    if (a > -limit && a < limit && b > -limit && b < limit && b != 0) {                                             \
      int64_t x = (int64_t)a, y = (int64_t)b;                                                                       \
      if ((type)x == a && (type)y == b)                                                                             \
        return sign((type)(x % y), a);                                                                              \
    }                                                                                                               \
    return real_##name(a, b);                                                                                       \
  }

REMAINDER(fmod, double, __builtin_copysign)
REMAINDER(fmodf, float, __builtin_copysignf)

#define NEAREST(name, result, type, round)                                                                          \
  SHORT result MODEL(name)(type number) { return (result)round(number); }

NEAREST(lround, long, double, __builtin_elementwise_round)
NEAREST(lroundf, long, float, __builtin_elementwise_round)
NEAREST(llround, long long, double, __builtin_elementwise_round)
NEAREST(llroundf, long long, float, __builtin_elementwise_round)
NEAREST(lrint, long, double, __builtin_elementwise_rint)
NEAREST(lrintf, long, float, __builtin_elementwise_rint)
NEAREST(llrint, long long, double, __builtin_elementwise_rint)
NEAREST(llrintf, long long, float, __builtin_elementwise_rint)

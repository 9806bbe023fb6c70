// Floating-point numbers of 32 and 64 bits are terms; other types are concrete, and the loss is recorded.
// input: stdin "\x05\x06\x03\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x20\x40\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15"
#include <math.h>

#include "observe.h"

__attribute__((noinline)) static double half(int x) { return x * 0.5; }

__attribute__((noinline)) static float narrow(double x) { return (float)x; }

int main(void) {
    take_input();
    double d = half(in[0]);
    OBSERVE(d > 2.0); //~ branch taken stdin[0]
    int back = (int)(d * 2);
    OBSERVE(back == 5); //~ branch taken stdin[0]
    OBSERVE(in[1] == 6); //~ branch taken stdin[1]
    double copied = TAKE(double, 5);
    double moved = copied;
    uint64_t bits;
    memcpy(&bits, &moved, sizeof bits);
    OBSERVE(bits != 3); //~ branch not-taken stdin[5-12]
    OBSERVE(moved < 1.5); //~ branch taken stdin[5-12]
    OBSERVE(narrow(moved) >= 0.25f); //~ branch not-taken stdin[5-12]
    float single = TAKE(float, 13);
    OBSERVE(single == 2.5f); //~ branch taken stdin[13-16]
    OBSERVE(!(single <= 2.75f)); //~ branch not-taken stdin[13-16]
    OBSERVE(single != single); //~ branch not-taken stdin[13-16]
    OBSERVE(-single < -2.0f); //~ branch taken stdin[13-16]
    OBSERVE(fabsf(single) > 0.5f); //~ branch taken stdin[13-16]
    OBSERVE(single / 0.1f + 3.0f * single - 1.0f > 30.0f); //~ branch taken stdin[13-16]
    OBSERVE((unsigned char)(single * 10.0f) == 25); //~ branch taken stdin[13-16]
    OBSERVE((unsigned)(single * 3.0f) == 7); //~ branch taken stdin[13-16]
    OBSERVE((unsigned long)(single * 5.0f) == 12); //~ branch taken stdin[13-16]
    OBSERVE((long)(single * -5.0f) == -12); //~ branch taken stdin[13-16]
    OBSERVE((float)in[17] + (float)(signed char)in[18] == 15.0f); //~ branch taken stdin[17-18]
    OBSERVE((double)TAKE(unsigned long, 19) > 1e17); //~ branch taken stdin[19-26]
    OBSERVE(isnan(single) || isinf(single)); //~ branch not-taken stdin[13-16]
    OBSERVE(isfinite(single) && single > 1.25f); //~ branch not-taken stdin[13-16] //~ branch taken stdin[13-16]
    OBSERVE(isnormal(single * 7.0f)); //~ branch taken stdin[13-16]
    OBSERVE(copysignf(1.0f, single) == 1.0f); //~ branch taken stdin[13-16]
    OBSERVE((long double)single * 3.3L > 7.25L); //~ pin float 0x40200000 stdin[13-16]
    return 0;
}

// Floating point is concrete for now, and the loss is recorded; integers beside it keep their labels.
// input: stdin "\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f"
#include <math.h>

#include "observe.h"

__attribute__((noinline)) static double half(int x) { return x * 0.5; } //~ pin float stdin[0]

int main(void) {
    take_input();
    double d = half(in[0]);
    OBSERVE(d > 2.0); //~ no event
    int back = (int)(d * 2);
    OBSERVE(back == 5); //~ no event
    OBSERVE(in[1] == 6); //~ branch taken stdin[1]
    double copied = TAKE(double, 5);
    double moved = copied;
    uint64_t bits;
    memcpy(&bits, &moved, sizeof bits);
    OBSERVE(bits != 3); //~ branch stdin[5-12]
    return 0;
}

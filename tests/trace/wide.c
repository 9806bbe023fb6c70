// 128-bit integers: arithmetic, division in the runtime library's place, comparison, shifts.
// input: stdin "\x07\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
#include "observe.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
    take_input();
    u128 x = TAKE(u128, 0), y = TAKE(u128, 16);
    OBSERVE(x + y == (((u128)1 << 64) | 10)); //~ branch taken stdin[0-31]
    OBSERVE(x - y == (((u128)1 << 64) | 4)); //~ branch taken stdin[0-31]
    OBSERVE(x * y > ((u128)3 << 64)); //~ branch taken stdin[0-31]
    OBSERVE((x ^ y) == (((u128)1 << 64) | 4)); //~ branch taken stdin[0-31]
    OBSERVE((x >> 64) == 1); //~ branch taken
    OBSERVE((x << 60) >> 120 == 0x10); //~ branch
    OBSERVE((i128)x < (i128)y); //~ branch not-taken stdin[0-31]
    OBSERVE(x < (y << 64)); //~ branch taken
    OBSERVE((uint64_t)(x >> 32) == ((uint64_t)1 << 32)); //~ branch taken
    return 0;
}

// Counting bits, reversing, rotating, funnel shifts.
// input: stdin "\x0f\x00\x00\x01\x12\x34\x56\x78\x01\x23\x45\x67\x89\xab\xcd\xef"
#include "observe.h"

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

int main(void) {
    take_input();
    uint32_t x = TAKE(uint32_t, 0), y = TAKE(uint32_t, 4);
    uint64_t z = TAKE(uint64_t, 8);
    OBSERVE(__builtin_popcount(x) == 5); //~ branch taken stdin[0-3]
    OBSERVE(__builtin_popcountll(z) == 32); //~ branch taken stdin[8-15]
    OBSERVE(__builtin_clz(x) == 7); //~ branch taken stdin[0-3]
    OBSERVE(__builtin_ctz(x) == 0); //~ branch not-taken stdin[0-3]
    OBSERVE(__builtin_clzll(z) + __builtin_ctz(y) == 1); //~ branch taken stdin[4-15]
    OBSERVE(__builtin_bswap16(TAKE(uint16_t, 4)) == 0x1234); //~ branch taken stdin[4-5]
    OBSERVE(__builtin_bswap32(y) == 0x12345678); //~ branch taken stdin[4-7]
    OBSERVE(__builtin_bswap64(z) > 0x0123456789abcdeeull); //~ branch stdin[8-15]
    OBSERVE(__builtin_bitreverse8(in[0]) == 0xf0); //~ branch taken stdin[0]
    OBSERVE(__builtin_bitreverse32(x) == 0xf0000080u); //~ branch taken stdin[0-3]
    OBSERVE(rotate(y, 8) > 0x56341270); //~ branch stdin[4-7]
    OBSERVE(rotate(y, in[0]) != 5); //~ branch stdin[0,4-7]
    OBSERVE(__builtin_rotateleft8(in[4], 4) == 0x21); //~ branch taken stdin[4]
    OBSERVE(__builtin_rotateright64(z, 24) != 1); //~ branch stdin[8-15]
    OBSERVE(__builtin_parity(y) == 1); //~ branch
    OBSERVE(__builtin_ffs((int)x << 3) < 6); //~ branch taken
    return 0;
}

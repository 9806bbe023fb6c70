// Structures by value (small in registers, large in memory), unions, bit-fields, arrays in structures.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18"
#include "observe.h"

struct small { uint8_t a; uint16_t b; uint8_t c; };
struct pair { uint64_t first, second; };
struct large { uint8_t bytes[24]; };
union either { uint32_t word; uint8_t bytes[4]; };
struct fields { unsigned low : 3, middle : 9, high : 20; };

__attribute__((noinline)) static int of_small(struct small s) { return s.a + s.b + s.c; }
__attribute__((noinline)) static uint64_t of_pair(struct pair p) { return p.first ^ p.second; }
__attribute__((noinline)) static int of_large(struct large l) { return l.bytes[3] + l.bytes[20]; }
__attribute__((noinline)) static struct pair swapped(struct pair p) { return (struct pair){p.second, p.first}; }
__attribute__((noinline)) static struct large rotated(struct large l) {
    struct large r;
    for (unsigned i = 0; i < sizeof r.bytes; i++)
        r.bytes[i] = l.bytes[(i + 1) % sizeof r.bytes];
    return r;
}

int main(void) {
    take_input();
    struct small small = {in[0], in[1], in[2]};
    OBSERVE(of_small(small) == 6); //~ branch taken stdin[0-2]
    struct pair pair = {TAKE(uint64_t, 0), TAKE(uint64_t, 8)};
    OBSERVE(of_pair(pair) != 77); //~ branch stdin[0-15]
    OBSERVE(swapped(pair).first > 1000); //~ branch stdin[8-15]
    struct large large = TAKE(struct large, 0);
    OBSERVE(of_large(large) == 4 + 21); //~ branch taken stdin[3,20]
    OBSERVE(rotated(large).bytes[23] == 1); //~ branch taken stdin[0]
    OBSERVE(rotated(large).bytes[4] == 6); //~ branch taken stdin[5]
    union either either = {TAKE(uint32_t, 4)};
    OBSERVE(either.bytes[2] == 7); //~ branch taken stdin[4-7]
    either.bytes[2] = 0;
    OBSERVE(either.bytes[2] == 0); //~ no event
    OBSERVE(either.word == 0x08000605); //~ branch taken stdin[4-7]
    struct fields fields = {.low = in[0], .middle = in[1], .high = in[2]};
    OBSERVE(fields.low == 1); //~ branch taken
    OBSERVE(fields.middle == 2); //~ branch taken
    fields.middle = 3;
    OBSERVE(fields.high == 3); //~ branch taken
    return 0;
}

// Overflow builtins, signed and unsigned, each width.
// input: stdin "\x7f\x02\xff\x02\xff\xff\xff\x7f\x02\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x02\x00\x00\x00\x00\x00\x00\x00"
#include "observe.h"

int main(void) {
    take_input();
    int8_t r8;
    uint8_t u8;
    int32_t r32;
    uint32_t u32;
    int64_t r64;
    uint64_t u64;
    OBSERVE(__builtin_add_overflow((int8_t)in[0], (int8_t)in[1], &r8)); //~ branch taken stdin[0-1]
    OBSERVE(r8 == -127); //~ branch taken stdin[0-1]
    OBSERVE(__builtin_add_overflow(in[2], in[3], &u8)); //~ branch taken stdin[2-3]
    OBSERVE(u8 == 1); //~ branch taken stdin[2-3]
    OBSERVE(__builtin_mul_overflow(TAKE(int32_t, 4), TAKE(int32_t, 8), &r32)); //~ branch taken stdin[4-11]
    OBSERVE(r32 == -2); //~ branch taken stdin[4-11]
    OBSERVE(__builtin_sub_overflow(TAKE(uint32_t, 8), TAKE(uint32_t, 4), &u32)); //~ branch taken stdin[4-11]
    OBSERVE(u32 > 5); //~ branch taken stdin[4-11]
    OBSERVE(__builtin_mul_overflow(TAKE(int64_t, 12), TAKE(int64_t, 20), &r64)); //~ branch taken stdin[12-27]
    OBSERVE(__builtin_mul_overflow(TAKE(uint64_t, 12), TAKE(uint64_t, 20), &u64)); //~ branch not-taken stdin[12-27]
    OBSERVE(__builtin_sub_overflow(TAKE(int64_t, 20), TAKE(int64_t, 12), &r64)); //~ branch not-taken stdin[12-27]
    return 0;
}

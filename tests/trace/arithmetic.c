// Every integer operation in every ordinary width.
// input: stdin "\x07\x03\x07\x00\x03\x00\x07\x00\x00\x00\x03\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00"
#include "observe.h"

#define OPERATIONS(type, x, y)                                                                                        \
    OBSERVE((type)(x + y) == 10);                                                                                     \
    OBSERVE((type)(x - y) == 4);                                                                                      \
    OBSERVE((type)(x * y) == 21);                                                                                     \
    OBSERVE((type)(x / y) == 2);                                                                                      \
    OBSERVE((type)(x % y) == 1);                                                                                      \
    OBSERVE((type)(x << (y & 7)) == 56);                                                                              \
    OBSERVE((type)(x >> (y & 3)) == 0);                                                                               \
    OBSERVE((type)(x & y) == 3);                                                                                      \
    OBSERVE((type)(x | y) == 7);                                                                                      \
    OBSERVE((type)(x ^ y) == 4);                                                                                      \
    OBSERVE((type)(x + 1) < y);                                                                                       \
    OBSERVE((type)(x + 2) <= y);                                                                                      \
    OBSERVE((type)(x + 3) > y);                                                                                       \
    OBSERVE((type)(x + 4) >= y);                                                                                      \
    OBSERVE((type)(x + 5) != y)

int main(void) {
    take_input();
    OPERATIONS(uint8_t, TAKE(uint8_t, 0), TAKE(uint8_t, 1)); //~ branch taken stdin[0-1] //~ branch not-taken stdin[0-1]
    OPERATIONS(int8_t, TAKE(int8_t, 0), TAKE(int8_t, 1)); //~ branch taken stdin[0-1] //~ branch not-taken stdin[0-1]
    OPERATIONS(uint16_t, TAKE(uint16_t, 2), TAKE(uint16_t, 4)); //~ branch taken stdin[2-5] //~ branch not-taken stdin[2-5]
    OPERATIONS(int16_t, TAKE(int16_t, 2), TAKE(int16_t, 4)); //~ branch taken stdin[2-5] //~ branch not-taken stdin[2-5]
    OPERATIONS(uint32_t, TAKE(uint32_t, 6), TAKE(uint32_t, 10)); //~ branch taken stdin[6-13] //~ branch not-taken stdin[6-13]
    OPERATIONS(int32_t, TAKE(int32_t, 6), TAKE(int32_t, 10)); //~ branch taken stdin[6-13] //~ branch not-taken stdin[6-13]
    OPERATIONS(uint64_t, TAKE(uint64_t, 14), TAKE(uint64_t, 22)); //~ branch taken stdin[14-29] //~ branch not-taken stdin[14-29]
    OPERATIONS(int64_t, TAKE(int64_t, 14), TAKE(int64_t, 22)); //~ branch taken stdin[14-29] //~ branch not-taken stdin[14-29]
    return 0;
}

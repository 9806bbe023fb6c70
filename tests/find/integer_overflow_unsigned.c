// Two lengths are added and compared with a limit. Unsigned arithmetic may wrap around, so somebody has to ask.
// input: stdin "\x10\x00\x00\x00\x20\x00\x00\x00"
// checks: default,unsigned-wrap
// witness: stdin "\xff\xff\xff\xff\x20\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    unsigned char lengths[8];
    take(lengths, sizeof lengths);
    uint32_t head = le32(lengths), body = le32(lengths + 4);
    if (head + body > 4096) //~ integer-overflow
        return 1;
    KEEP(head ^ body);
    return 0;
}

// A sum that would wrap around is refused before it is made.
// input: stdin "\x10\x00\x00\x00\x20\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char lengths[8];
    take(lengths, sizeof lengths);
    uint32_t head = le32(lengths), body = le32(lengths + 4);
    if (head > UINT32_MAX - body)
        return 1;
    KEEP(head + body);
    return 0;
}

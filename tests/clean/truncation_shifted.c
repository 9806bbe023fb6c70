// The upper half of a word fits half a word.
// input: stdin "\x12\x34\x56\x78"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    uint16_t high = be32(head) >> 16;
    KEEP(high);
    return 0;
}

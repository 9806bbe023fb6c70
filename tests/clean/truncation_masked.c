// The low half of a word is all that is wanted, and the code says so.
// input: stdin "\x00\x01\x00\x20"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    uint16_t low = (uint16_t)(be32(head) & 0xffff);
    KEEP(low);
    return 0;
}

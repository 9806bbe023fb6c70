// Width and height are multiplied as 64 bits, and then compared.
// input: stdin "\x40\x01\x00\x00\xf0\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    take(head, sizeof head);
    uint64_t pixels = (uint64_t)le32(head) * le32(head + 4);
    if (pixels > INT32_MAX)
        return 1;
    KEEP((int)pixels);
    return 0;
}

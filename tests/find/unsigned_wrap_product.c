// The bytes of an image are compared with what there may be. Their number is the remainder of the true one by 2 to the 32.
// input: stdin "\x10\x00\x00\x00\x20\x00\x00\x00"
// checks: default,unsigned-wrap
// witness: stdin "\x00\x00\x01\x00\x00\x00\x01\x00"
#include "../include/records.h"

int main(void) {
    unsigned char header[8];
    take(header, sizeof header);
    uint32_t width = le32(header), height = le32(header + 4);
    if (width * height > 1u << 20) //~ integer-overflow
        return 1;
    KEEP(width ^ height);
    return 0;
}

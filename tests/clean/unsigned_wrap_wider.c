// The product of two numbers of 32 bits is made with 64.
// input: stdin "\x10\x00\x00\x00\x20\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char header[8];
    take(header, sizeof header);
    uint64_t width = le32(header), height = le32(header + 4);
    KEEP(width * height > 1u << 20);
    return 0;
}

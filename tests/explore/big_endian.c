// A number of two bytes, the high one first, and where it lies.
// input: stdin "\x00\x00"
// paths: 3
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    unsigned number = (unsigned)b[0] << 8 | b[1];
    if (number < 0x123) mark();
    else if (number < 0x8001) puts("middle");
    else puts("high");
    return 0;
}

// Two decisions about a product and a remainder, which exclude each other: 333 is 4 modulo 7.
// input: stdin "\x00\x00"
// paths: 3
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    unsigned v = b[0] | (unsigned)b[1] << 8;
    if (v * 3 == 999) mark();
    if (v % 7 == 3) mark();
    return 0;
}

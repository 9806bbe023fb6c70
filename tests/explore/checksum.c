// Sixteen bytes, the last two of which are a checksum over the others.
// input: stdin "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
// paths: 3
//~ verified
#include <assert.h>
#include "bytes.h"

int main(void) {
    unsigned char b[16];
    if (!get(b, 16)) return 1;
    unsigned sum = 1;
    for (int i = 0; i < 14; i++) sum = (sum << 1 ^ sum >> 15 ^ b[i]) & 0xffff;
    if (sum != (b[14] | (unsigned)b[15] << 8)) return 0;
    mark();
    assert(b[3] != 'x'); //~ assertion
    return 0;
}

// Five bytes that read the same from both ends.
// input: stdin "\x00\x01\x02\x03\x04"
// paths: 3
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[5];
    if (!get(b, 5)) return 1;
    for (int i = 0; i < 2; i++) {
        if (b[i] != b[4 - i]) return 0;
        mark();
    }
    puts("mirrored");
    return 0;
}

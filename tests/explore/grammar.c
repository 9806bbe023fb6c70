// Digits with signs between them, four bytes in all; everything else ends it.
// input: stdin "\x00\x00\x00\x00"
// paths: 7
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) {
            if (b[i] < '0') return 2;
            if (b[i] > '9') return 3;
        } else if (b[i] != '+') {
            return 4;
        }
        mark();
    }
    return 0;
}

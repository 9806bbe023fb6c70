// Divides by zero on one of its two paths.
// input: stdin "\x00\x00"
// paths: 2
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    int y = b[1];
    if (b[0] == 'd') {
        mark();
        return 100 / (y - 9) == 7; //~ div-by-zero
    }
    return 0;
}

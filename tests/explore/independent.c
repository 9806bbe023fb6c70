// Three decisions that have nothing to do with each other, one of them a conjunction: 2 * 2 * 3.
// input: stdin "\x00\x00\x00\x00"
// paths: 12
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    if (b[0] == 'a') mark();
    if (b[1] > 'b') mark();
    if (b[2] == 'c' && b[3] == 7) mark();
    return 0;
}

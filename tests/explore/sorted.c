// A sorting network for three bytes: once the last two are in order, the first two stay as they are.
// input: stdin "\x00\x00\x00"
// paths: 6
//~ verified
#include "bytes.h"

static void order(unsigned char *a, unsigned char *b) {
    if (*a > *b) {
        unsigned char t = *a;
        *a = *b;
        *b = t;
        mark();
    }
}

int main(void) {
    unsigned char b[3];
    if (!get(b, 3)) return 1;
    order(&b[0], &b[1]);
    order(&b[1], &b[2]);
    order(&b[0], &b[1]);
    return 0;
}

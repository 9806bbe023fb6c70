// Two choices between three things, which have nothing to do with one another.
// input: stdin "\x00\x00"
// paths: 9
//~ verified
#include "bytes.h"

static void choose(unsigned char x) {
    switch (x) {
    case 'r': puts("red"); break;
    case 'g': mark(); break;
    default: puts("other"); break;
    }
}

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    choose(b[0]);
    choose(b[1]);
    return 0;
}

// Three bytes, each of which turns a switch or not; what the switch does then is no decision of the input's.
// input: stdin "\x00\x00\x00"
// paths: 8
//~ verified
#include "bytes.h"

static volatile int on;

int main(void) {
    unsigned char b[3];
    if (!get(b, 3)) return 1;
    for (int i = 0; i < 3; i++) {
        if (b[i] == 't') on = !on;
        if (on) mark();
    }
    return 0;
}

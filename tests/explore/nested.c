// Forty decisions, each inside of the one before.
// input: stdin "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
// paths: 41
//~ verified
#include <assert.h>
#include "bytes.h"

int main(void) {
    unsigned char b[40];
    if (!get(b, 40)) return 1;
    for (int i = 0; i < 40; i++) {
        if (b[i] != (unsigned char)(i * 7 + 3)) return 0;
        mark();
    }
    assert(marks != 40); //~ assertion
    return 0;
}

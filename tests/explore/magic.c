// A 32-bit number that nobody guesses.
// input: stdin "\x00\x00\x00\x00"
// paths: 2
//~ verified
#include <assert.h>
#include <string.h>
#include "bytes.h"

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    unsigned magic;
    memcpy(&magic, b, 4);
    assert(magic != 0xdeadbeef); //~ assertion
    return 0;
}

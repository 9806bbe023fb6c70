// Computes with its input and decides nothing.
// input: stdin "\x00\x00"
// paths: 1
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    return (b[0] ^ b[1]) & 1;
}

// Adds numbers up to seven until there are more than ten: not after the first one, and perhaps never.
// input: stdin "\x00\x00\x00\x00"
// paths: 4
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += b[i] & 7;
        if (sum > 10) return 0;
        mark();
    }
    return 0;
}

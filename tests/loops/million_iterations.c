// An overflow in the millionth iteration, found from a run with three.
// input: stdin "\x03\x00\x00\x00"
// loops: 10 independent
// check: finds the same
#include "../include/records.h"

static char block[1000000], pattern[8] = "provoke";

__attribute__((noinline)) static void fill(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        block[i] = pattern[i & 7]; //~ global-buffer-overflow | array-index
}

int main(void) {
    unsigned n;
    take(&n, sizeof n);
    if (n <= 1000001)
        fill(n);
    return block[5] == 'b';
}

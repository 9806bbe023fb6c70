// Predictive testing, Figure 2: from the other test the way leads over a negated branch, to no failure of its own.
// input: stdin "\x03\x00\x09\x00"
// witness: stdin "\x02\x00\x01\x00"
#include "../include/records.h"

static int dbl(int z) { return 2 * z; }

int main(void) {
    int16_t x, y;
    take(&x, sizeof x);
    take(&y, sizeof y);
    int u = dbl(x);
    int v = dbl(y) + 1;
    if (u > v)
        u = u - 1;
    assert(u != v); //~? assertion
    return 0;
}

// Predictive testing, Figure 2: an assertion that both tests pass, and that one of their paths can break.
// input: stdin "\xfa\xff\x9c\xff"
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
    assert(u != v); //~ assertion
    return 0;
}

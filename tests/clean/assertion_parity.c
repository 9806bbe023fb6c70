// An even number and an odd one are not equal, whatever they are.
// input: stdin "\x03\x00\x09\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    int16_t x, y;
    take(&x, sizeof x);
    take(&y, sizeof y);
    int u = 2 * x, v = 2 * y + 1;
    if (u > v)
        u = u - 2;
    assert(u != v);
    return 0;
}

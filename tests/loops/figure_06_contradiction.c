// Universal checks, Figures 6 and 7: the product in each iteration is protected by the guard right before it.
// input: stdin "\x03\x05\x00\x00\x00"
// loops: 10 independent
// loops without contradiction: 10 dependent
#include "../include/records.h"

__attribute__((noinline)) static void testme(unsigned char bound, int i) {
    if (bound > 20)
        return;
    for (int k = 0; k < bound; k++) {
        if (0 < i && i < 10)
            putchar(i * 7);
    }
}

int main(void) {
    unsigned char bound;
    int i;
    take(&bound, sizeof bound);
    take(&i, sizeof i);
    testme(bound, i);
    return 0;
}

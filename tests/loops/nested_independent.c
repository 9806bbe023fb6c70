// Nested loops that only write out: neither matters, and the size behind them is checked for all of their bounds.
// input: stdin "\x20\x20"
// loops: 10 independent, 11 independent
// check: finds the same
#include "../include/records.h"

__attribute__((noinline)) static void test(unsigned char n, unsigned char m) {
    if (n > 90 || m > 90)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            putchar('.');
    static char block[85];
    block[n] = 1; //~ global-buffer-overflow | array-index
}

// So that numbers do not grow with the bytes that they are read from: then they would be found without a look at loops.
static unsigned char turned(unsigned char byte) {
    return (unsigned char)(byte << 4 | byte >> 4);
}

int main(void) {
    unsigned char n, m;
    take(&n, 1);
    take(&m, 1);
    test(turned(n), turned(m));
    return 0;
}

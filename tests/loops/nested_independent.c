// Nested loops that only write out: neither matters, and the size behind them is checked for all of their bounds.
// input: stdin "\x02\x02"
// loops: 9 independent, 10 independent
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

int main(void) {
    unsigned char n, m;
    take(&n, 1);
    take(&m, 1);
    test(n, m);
    return 0;
}

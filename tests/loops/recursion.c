// A loop in a function that calls itself: each call has its own iterations, and nothing depends on any.
// input: stdin "\x03"
// loops: 8 independent
// check: finds the same
#include "../include/records.h"

__attribute__((noinline)) static void descend(unsigned char n) {
    for (int i = 0; i < n; i++)
        putchar('.');
    if (n > 0)
        descend(n / 2);
}

int main(void) {
    static char block[45];
    unsigned char n;
    take(&n, sizeof n);
    if (n > 50)
        return 1;
    descend(n);
    block[n] = 1; //~ global-buffer-overflow | array-index
    return 0;
}

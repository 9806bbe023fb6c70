// Universal checks, Figure 11: what the loop assigns reaches the check as a result.
// input: stdin "\x02"
// loops: 8 dependent
#include "../include/records.h"

__attribute__((noinline)) static int foo(int m) {
    int n = 1, seen = 0;
    for (int a = 0; a < m; a++) {
        putchar('.');
        n += 1 + (seen ^= 1);
    }
    return n;
}

int main(void) {
    unsigned char i;
    take(&i, sizeof i);
    if (i >= 8)
        return 0;
    int k = foo(i);
    return 100 / (k - 10) == 7; //~ div-by-zero
}

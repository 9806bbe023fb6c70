// Nested loops: what the inner one computes is checked, in each iteration of the outer one alike.
// input: stdin "\x02\x02"
// loops: 9 independent, 11 dependent
#include "../include/records.h"

__attribute__((noinline)) static void test(unsigned char n, unsigned char m) {
    if (n > 3 || m > 4)
        return;
    for (int i = 0; i < n; i++) {
        unsigned a = 1, seen = 1;
        for (int j = 0; j < m; j++) {
            a += seen = seen * 3 + 1;
            putchar('.');
        }
        printf("%u\n", 100 / (a - 58)); //~ div-by-zero
    }
}

int main(void) {
    unsigned char n, m;
    take(&n, 1);
    take(&m, 1);
    test(n, m);
    return 0;
}

// Universal checks, Figure 10: what the loop assigns reaches the check as an argument.
// input: stdin "\x02"
// loops: 12 dependent
#include "../include/records.h"

__attribute__((noinline)) static int foo(int a) { return 100 / (a - 8); } //~ div-by-zero

__attribute__((noinline)) static int testme(int i) {
    int j = 5, seen = 0;
    if (i >= 8)
        return 0;
    for (int a = 0; a < i; a++) {
        putchar('.');
        j += 1 + (seen ^= 1);
    }
    return foo(j);
}

int main(void) {
    unsigned char i;
    take(&i, sizeof i);
    return testme(i) == 7;
}

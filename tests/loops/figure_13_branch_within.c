// Universal checks, Figures 13 and 14: a branch in the loop, whose both sides are seen in the first iteration.
// input: stdin "\x03\x00"
// loops: 10 independent
// paths: 4
#include "../include/records.h"

__attribute__((noinline)) static void test(unsigned char sym, unsigned char j) {
    if (sym > 100)
        return;
    for (int i = 0; i < sym; i++) {
        if (j == 1)
            puts("one");
        else
            puts("other");
    }
}

int main(void) {
    unsigned char sym, j;
    take(&sym, 1);
    take(&j, 1);
    test(sym, j);
    return 0;
}

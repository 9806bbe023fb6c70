// Universal checks, Figure 15: a branch in the loop that only one iteration takes, the seventy-seventh.
// input: stdin "\x03"
// loops: 10 independent
// check: finds the same
#include "../include/records.h"

__attribute__((noinline)) static void test(unsigned char sym) {
    if (sym > 100)
        return;
    for (int i = 0; i < sym; i++) {
        putchar('.');
        if (i == 76)
            abort(); //~ assertion
    }
}

int main(void) {
    unsigned char sym;
    take(&sym, 1);
    test(sym);
    return 0;
}

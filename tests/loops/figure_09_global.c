// Universal checks, Figure 9: what the loop assigns reaches the check through a global variable.
// input: stdin "\x02"
// loops: 9 dependent
#include "../include/records.h"

static volatile int a;
__attribute__((noinline)) static void count(int bound) {
    int i = 0;
    while (i++ < bound)
        a++;
}
__attribute__((noinline)) static int use(void) { return 100 / (a - 5); } //~ div-by-zero

int main(void) {
    unsigned char bound;
    take(&bound, sizeof bound);
    if (bound < 8) {
        count(bound);
        return use() == 7;
    }
    return 0;
}

// Universal checks, Figure 12: what the loop assigns reaches the check through a pointer.
// input: stdin "\x02"
// loops: 7 dependent
#include "../include/records.h"

__attribute__((noinline)) static void foo(int i, volatile int *j) {
    for (int k = 0; k < i; k++)
        (*j)++;
}

int main(void) {
    unsigned char i;
    take(&i, sizeof i);
    volatile int a = 1;
    if (i < 8)
        foo(i, &a);
    return 100 / (a - 6) == 7; //~ div-by-zero
}

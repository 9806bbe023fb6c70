// Predictive testing, Figure 4 without the assertions: the access itself is what fails.
// input: stdin "\x09\x00\x00\x00\x64\x00\x00\x00"
// witness: stdin "\x0a\x00\x00\x00\x64\x00\x00\x00"
#include "../include/records.h"

static unsigned int array[10];

static void set(unsigned int i, unsigned int x) {
    if (x == 100 && i <= 10)
        array[i] = x; //~ array-index | global-buffer-overflow
}

int main(void) {
    unsigned int i, x;
    take(&i, sizeof i);
    take(&x, sizeof x);
    if (x > 0)
        set(i, x);
    KEEP(array[9]);
    return 0;
}

// Predictive testing, Figure 4: what the unit test of a function leaves open. The test is {i=2, x=100}.
// input: stdin "\x02\x00\x00\x00\x64\x00\x00\x00"
// witness: stdin "\x0a\x00\x00\x00\x64\x00\x00\x00"
#include "../include/records.h"

static unsigned int array[10];

static void set(unsigned int i, unsigned int x) {
    if (x == 100 && i <= 10) {
        assert(i < 10); //~ assertion
        array[i] = x;
    }
}

int main(void) {
    unsigned int i, x;
    take(&i, sizeof i);
    take(&x, sizeof x);
    if (x > 0)
        set(i, x);
    KEEP(array[2]);
    return 0;
}

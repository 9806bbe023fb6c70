// Figure 4 of the paper on predictive testing: no test of the program comes to the access; tests of the unit say what has to hold there.
// unit: set
// unit args: unit
// unit test: "\x01\x00\x00\x00\x00\x00\x00\x00"
// unit test: "\x03\x00\x00\x00\x64\x00\x00\x00"
// precondition: x != 100 || i > 10 || (i >= 0 && i < 10)
// test verified: "\x02\x00\x00\x00\xff\xff\xff\xff"
// test predicted: "\x09\x00\x00\x00\x08\x00\x00\x00"
#include <unistd.h>

static unsigned int array[10];

static void set(unsigned int i, unsigned int x) {
    if (x == 100 && i <= 10) {
        array[i] = x; //~ array-index | global-buffer-overflow
    }
}

static int input(unsigned int *to) {
    return read(0, to, sizeof *to) == sizeof *to;
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned int i, x;
    if (!input(&i) || !input(&x)) {
        return 2;
    }
    if (count > 1) {
        set(i, x);
    } else if ((int)x > 0) {
        set(i, x);
    }
    return (int)array[0];
}

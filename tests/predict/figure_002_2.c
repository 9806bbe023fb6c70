// Figure 2 of the paper on predictive testing: neither test fails, and one is close to an input that does.
// test verified: "\x03\x00\x00\x00\x09\x00\x00\x00"
// test predicted: "\xfa\xff\xff\xff\x9c\xff\xff\xff"
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

static int32_t input(void) {
    int32_t value = 0;
    if (read(0, &value, sizeof value) != sizeof value) {
        _exit(2);
    }
    return value;
}

static int dbl(int z) {
    return (int)(2u * (unsigned)z);
}

int main(void) {
    int x = input();
    int y = input();
    int u = dbl(x);
    int v = (int)((unsigned)dbl(y) + 1u);
    if (u > v) {
        u = (int)((unsigned)u - 1u);
    }
    assert(u != v); //~ assertion
    return 0;
}

// Universal checks, Figure 8: a variable of one call is not that of another, though both lie at the same place.
// input: stdin "\x03\x09"
// loops: 11 independent
#include "../include/records.h"

static const char pattern[8] = "provoke";

__attribute__((noinline)) static void foo(unsigned char bound) {
    volatile char a[8];
    a[0] = 1;
    for (int i = 0; i < bound; i++)
        a[i & 7] = pattern[i & 7];
}

__attribute__((noinline)) static int bar(unsigned char value) {
    volatile char a[8];
    a[0] = (char)value;
    return 100 / (a[0] - 5); //~ div-by-zero
}

int main(void) {
    unsigned char bound, value;
    take(&bound, sizeof bound);
    take(&value, sizeof value);
    if (bound > 20 || value > 100)
        return 1;
    foo(bound);
    return bar(value) == 7;
}

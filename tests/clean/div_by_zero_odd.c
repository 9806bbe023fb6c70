// A divisor with its lowest bit set is not zero, and a positive dividend has every quotient.
// input: stdin "\x10\x00\x00\x00\x06\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    int dividend, divisor;
    take(&dividend, sizeof dividend);
    take(&divisor, sizeof divisor);
    if (dividend < 0)
        return 1;
    KEEP(dividend / (divisor | 1));
    return 0;
}

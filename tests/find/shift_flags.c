// A bit is selected by a number that may be larger than there are bits.
// input: stdin "\x05"
// witness: stdin "\x20"
#include "../include/records.h"

int main(void) {
    unsigned char bit;
    take(&bit, sizeof bit);
    uint32_t mask = UINT32_C(1) << bit; //~ shift
    KEEP(mask);
    return 0;
}

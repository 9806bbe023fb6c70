// A bit is selected by the low bits of a number.
// input: stdin "\x05"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char bit;
    take(&bit, sizeof bit);
    KEEP(UINT32_C(1) << (bit & 31));
    return 0;
}

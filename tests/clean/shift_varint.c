// A number in groups of seven bits, of which there are never more than five, and four bits in the last.
// input: stdin "\x81\x82\x83\x84\x05"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char coded[5];
    uint32_t number = 0;
    take(coded, sizeof coded);
    for (unsigned i = 0; i < 5; i++) {
        number |= (uint32_t)(coded[i] & 0x7f) << (7 * i);
        if (!(coded[i] & 0x80))
            break;
    }
    KEEP(number);
    return 0;
}

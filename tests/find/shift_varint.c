// A number in groups of seven bits, of which there may be one too many.
// input: stdin "\x81\x82\x83\x84\x05\x06"
// witness: stdin "\x81\x82\x83\x84\x85\x06"
#include "../include/records.h"

int main(void) {
    unsigned char coded[6];
    uint32_t number = 0;
    take(coded, sizeof coded);
    for (unsigned i = 0, shift = 0; i < 6; i++, shift += 7) {
        number |= (uint32_t)(coded[i] & 0x7f) << shift; //~ shift
        if (!(coded[i] & 0x80))
            break;
    }
    KEEP(number);
    return 0;
}

// A rotation that is right for zero too.
// input: stdin "\x78\x56\x34\x12\x07"
//~ verified
#include "../include/records.h"

static uint32_t rotate(uint32_t word, unsigned by) { return word << (by & 31) | word >> ((32 - by) & 31); }

int main(void) {
    unsigned char input[5];
    take(input, sizeof input);
    KEEP(rotate(le32(input), input[4] & 31));
    return 0;
}

// A rotation by zero is a shift by the full width.
// input: stdin "\x78\x56\x34\x12\x07"
// witness: stdin "\x78\x56\x34\x12\x20"
#include "../include/records.h"

static uint32_t rotate(uint32_t word, unsigned by) {
    return word << by | word >> (32 - by); //~ shift
}

int main(void) {
    unsigned char input[5];
    take(input, sizeof input);
    KEEP(rotate(le32(input), input[4] & 31));
    return 0;
}

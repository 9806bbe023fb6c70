// The bits that are left of a byte, after more of them were taken than it has.
// input: stdin "\xa5\x03"
// witness: stdin "\xa5\x09"
#include "../include/records.h"

int main(void) {
    unsigned char input[2];
    take(input, sizeof input);
    int taken = input[1];
    KEEP(input[0] >> (8 - taken)); //~ shift
    return 0;
}

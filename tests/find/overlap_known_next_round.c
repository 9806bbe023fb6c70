// The next round's copy is of a size that depends on input, and to where it is: nothing is asked about it.
// input: stdin "\x01\x02\x01"
// witness: stdin "\x16\x02\x01"
// options: --same-length
#include "../include/records.h"

int main(void) {
    unsigned char given[3];
    char block[64] = "0123";
    take(given, sizeof given);
    if (given[0] > 30 || given[2] > 2)
        return 1;
    size_t size = 8, to = given[0];
    for (volatile int round = 0; round < 2; round++) {
        memcpy(block + to, block + 24, size); //~ overlap
        size = given[2];
        to = 24;
    }
    return block[9];
}

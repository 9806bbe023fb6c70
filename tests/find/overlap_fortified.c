// Copies whose bounds the C library is told, of a size that is known and of one that is not.
// input: stdin "\x00\x01"
// witness: stdin "\x09\x01"
#define _FORTIFY_SOURCE 2
#include "../include/records.h"

int main(void) {
    unsigned char given[2];
    char block[64] = "0123";
    take(given, sizeof given);
    if (given[0] > 32 || given[1] > 16)
        return 1;
    memcpy(block + given[0], block + 16, 8); //~ overlap
    memcpy(block + 48, block + 40, given[1]); //~ overlap
    return block[17];
}

// An array on the stack of at least one and at most 64 elements.
// input: stdin "\x09\x05"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char counts[2];
    take(counts, sizeof counts);
    int left = counts[0] - counts[1];
    if (left < 1 || left > 64)
        return 1;
    int scratch[left];
    scratch[0] = left;
    KEEP(scratch[0]);
    return 0;
}

// An array on the stack of as many elements as are left, which may be none or fewer.
// input: stdin "\x09\x05"
// witness: stdin "\x05\x09"
#include "../include/records.h"

int main(void) {
    unsigned char counts[2];
    take(counts, sizeof counts);
    int left = counts[0] - counts[1];
    int scratch[left]; //~ alloc-size | stack-overflow
    volatile int *first = scratch;
    if (left > 0)
        *first = left;
    return 0;
}

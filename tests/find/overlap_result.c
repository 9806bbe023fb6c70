// The address of a block is known by what the function that copies to it returns.
// input: stdin "\x10"
// witness: stdin "\x04"
// options: --same-length
#include "../include/records.h"

void *copy(void *, const void *, size_t) __asm__("memcpy");

int main(void) {
    unsigned char at;
    char block[64];
    take(&at, sizeof at);
    if (at > 32)
        return 1;
    char *start = copy(block, "abcdefg", 8);
    copy(start + at, block, 8); //~ overlap
    return start[1];
}

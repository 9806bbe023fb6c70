// A block is as large as the input says, and what is wrong happens only in one that is much larger.
// input: stdin "\x00\x0a\x00\x05"
// witness: stdin "\x02\x58\x01\xf4"
#include "../../include/records.h"

int main(void) {
    unsigned char input[4];
    take(input, sizeof input);
    size_t size = be16(input), index = be16(input + 2);
    if (index >= size)
        return 1;
    unsigned char *block = calloc(size, 1);
    if (block == NULL)
        return 1;
    block[index] = 1;
    assert(index != 500); //~ assertion
    free(block);
    return 0;
}

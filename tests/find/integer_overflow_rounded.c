// A size is rounded up to whole words, in 32 bits. Nothing tests what comes out before it is a size.
// input: stdin "\x10\x00\x00\x00"
// witness: stdin "\xff\xff\xff\xff"
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    uint32_t bits = le32(head);
    uint32_t words = (bits + 31) / 32; //~ integer-overflow
    uint32_t *map = malloc(words * sizeof *map);
    KEEP(map);
    free(map);
    return 0;
}

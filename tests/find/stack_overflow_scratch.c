// Scratch memory on the stack, as much as a field of four bytes says.
// input: stdin "\x00\x00\x00\x20"
// witness: stdin "\x40\x00\x00\x20"
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    uint32_t size = be32(head);
    if (size == 0)
        return 1;
    char scratch[size]; //~ stack-overflow | alloc-size
    volatile char *first = scratch;
    *first = 1; //~? stack-overflow | alloc-size
    KEEP(*first);
    return 0;
}

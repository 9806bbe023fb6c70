// Memory on the stack, as much as a field of four bytes says, and nothing of it is looked at again.
// input: stdin "\x00\x00\x00\x20"
// witness: stdin "\x40\x00\x00\x20"
#include <alloca.h>

#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    char *scratch = alloca((size_t)be32(head) + 1); //~ stack-overflow | alloc-size
    scratch[0] = 1; //~? stack-overflow | alloc-size
    return 0;
}

// A length with a sign is bounded from above, and allocated.
// input: stdin "\x00\x00\x00\x40"
// witness: stdin "\x80\x00\x00\x40"
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    int length = (int)be32(head);
    if (length > 65536)
        return 1;
    char *block = malloc(length); //~ alloc-size | sign-extension
    free(block);
    return 0;
}

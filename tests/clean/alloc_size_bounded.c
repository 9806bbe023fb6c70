// A length with a sign is bounded from both sides before it is allocated.
// input: stdin "\x00\x00\x00\x40"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    int length = (int)be32(head);
    if (length < 1 || length > 65536)
        return 1;
    char *block = malloc((size_t)length);
    free(block);
    return 0;
}

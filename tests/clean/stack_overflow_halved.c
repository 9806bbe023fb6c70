// A recursion that halves its argument ends soon.
// input: stdin "\x00\x01\x00\x00"
//~ verified
#include "../include/records.h"

static int logarithm(uint32_t number) { return number <= 1 ? 0 : 1 + logarithm(number / 2); }

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    KEEP(logarithm(be32(head)));
    return 0;
}

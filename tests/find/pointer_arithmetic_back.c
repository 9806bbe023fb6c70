// A reference backwards, as segment and offset, is subtracted before it is compared.
// input: stdin "\x00\x00\x00\x04"
// checks: default,pointer-arithmetic
// witness: stdin "\x01\x00\x00\x04"
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    static char window[64];
    take(head, sizeof head);
    uint64_t back = (uint64_t)be16(head) << 48 | be16(head + 2);
    const char *from = window + 32 - back; //~ pointer-arithmetic
    if (from >= window)
        KEEP(from - window);
    return 0;
}

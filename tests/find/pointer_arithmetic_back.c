// A reference backwards is subtracted before it is compared.
// input: stdin "\x04\x00\x00\x00\x00\x00\x00\x00"
// checks: default,pointer-arithmetic
// witness: stdin "\x04\x00\x00\x00\x00\x00\x00\x7f"
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    static char window[64];
    take(head, sizeof head);
    uint64_t back = le64(head);
    if (back > INT64_MAX)
        return 1;
    const char *from = window + 32 - back; //~ pointer-arithmetic
    if (from >= window)
        KEEP(from - window);
    return 0;
}

// What comes after a division is violated by inputs that survive the division.
// input: stdin "\x04\x20\x03"
// witness: stdin "\x00\x20\x03"
#include "../include/records.h"

int main(void) {
    unsigned char parts, total, extra, block[64] = {0};
    take(&parts, sizeof parts);
    take(&total, sizeof total);
    take(&extra, sizeof extra);
    unsigned each = total / parts; //~ div-by-zero
    block[each] = extra; //~ stack-buffer-overflow | array-index
    KEEP(block[0]);
    return 0;
}

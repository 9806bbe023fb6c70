// A reference backwards is compared before it is subtracted.
// input: stdin "\x04\x00\x00\x00\x00\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    static char window[64];
    take(head, sizeof head);
    uint64_t back = le64(head);
    if (back > 32)
        return 1;
    const char *from = window + 32 - back;
    KEEP(from - window);
    return 0;
}

// What is left of a buffer behind a header that fits into it.
// input: stdin "\x10\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char header[4];
    take(header, sizeof header);
    uint32_t used = le32(header), size = 4096;
    uint32_t rest = used <= size ? size - used : 0;
    KEEP(rest);
    return 0;
}

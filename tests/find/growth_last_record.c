// Records with lengths, of which the last one is empty: what is done with a longer one takes a file that goes on.
// input: stdin "\x01\x02\x00\x05\x03\x00"
// witness: stdin "\x01\x02\x00\x05\x03\x04\x00\x01\x00\x00"
#include "../include/records.h"

int main(void) {
    unsigned char bytes[512];
    size_t size = fread(bytes, 1, sizeof bytes, stdin), at = 0;
    while (size - at >= 2) {
        unsigned type = bytes[at], length = bytes[at + 1];
        const unsigned char *body = bytes + at + 2;
        if (size - at - 2 < length)
            return 1;
        if (type == 1 && length >= 2)
            KEEP(be16(body));
        else if (type == 3 && length >= 4)
            KEEP(be16(body) / be16(body + 2)); //~ div-by-zero
        at += 2 + length;
    }
    return 0;
}

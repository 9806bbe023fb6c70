// Whether a block fits is asked by adding to a pointer, which wraps around.
// input: stdin "\x04\x00\x00\x00\x00\x00\x00\x00abcdefgh"
// checks: default,pointer-arithmetic
// witness: stdin "\x04\xff\xff\xff\xff\xff\xff\xffabcdefgh"
#include "../include/records.h"

int main(void) {
    unsigned char message[16];
    take(message, sizeof message);
    const unsigned char *cursor = message + 8, *end = message + sizeof message;
    uint64_t length = le64(message);
    if (cursor + length > end) //~ pointer-arithmetic
        return 1;
    KEEP(length);
    return 0;
}

// Whether a block fits is asked by comparing with what is left.
// input: stdin "\x04\x00\x00\x00\x00\x00\x00\x00abcdefgh"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char message[16];
    take(message, sizeof message);
    const unsigned char *cursor = message + 8, *end = message + sizeof message;
    uint64_t length = le64(message);
    if (length > (uint64_t)(end - cursor))
        return 1;
    cursor += length;
    KEEP(cursor - message);
    return 0;
}

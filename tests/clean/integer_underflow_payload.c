// A length that contains its header is compared with the header first.
// input: stdin "\x00\x10"
//~ verified
#include "../include/records.h"

#define HEADER 8u

int main(void) {
    unsigned char message[2];
    take(message, sizeof message);
    uint32_t length = be16(message);
    if (length < HEADER)
        return 1;
    KEEP(length - HEADER);
    return 0;
}

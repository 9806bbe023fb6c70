// The rest of a message is copied, which is less than nothing for messages that are shorter than a header.
// input: stdin "\x00\x0cabcdefgh"
// witness: stdin "\x00\x05abcdefgh"
#include "../include/records.h"

#define HEADER 8u

int main(void) {
    unsigned char message[10];
    char payload[8] = {0};
    take(message, sizeof message);
    uint32_t length = be16(message);
    if (length > HEADER + sizeof payload)
        return 1;
    uint32_t rest = length - HEADER; //~ integer-underflow
    memcpy(payload, message + 2, rest); //~ overlap | stack-buffer-overflow | string-overflow
    KEEP(payload[0]);
    return 0;
}

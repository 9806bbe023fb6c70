// A length that contains its header, for messages that are shorter than a header.
// input: stdin "\x00\x10abcdefgh"
// checks: default,unsigned-wrap
// witness: stdin "\x00\x05abcdefgh"
#include "../include/records.h"

#define HEADER 8u

int main(void) {
    unsigned char message[10];
    char payload[8] = {0};
    take(message, sizeof message);
    uint32_t length = be16(message);
    uint32_t rest = length - HEADER; //~ integer-underflow
    if (rest <= sizeof payload)
        memcpy(payload, message + 2, rest);
    KEEP(payload[0]);
    return 0;
}

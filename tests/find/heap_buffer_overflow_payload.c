// A payload with its length in front is copied into a block of fixed size.
// input: stdin "\x08ABCDEFGH12345678901234567890123456789012345678"
// witness: stdin "\x20ABCDEFGH12345678901234567890123456789012345678"
#include "../include/records.h"

int main(void) {
    unsigned char packet[47];
    take(packet, sizeof packet);
    unsigned length = packet[0];
    if (length > 40)
        return 1;
    unsigned char *payload = malloc(16);
    if (payload == NULL)
        return 1;
    memcpy(payload, packet + 1, length); //~ heap-buffer-overflow | string-overflow
    KEEP(payload[0]);
    free(payload);
    return 0;
}

// A payload is copied into a block that is as large as the largest length.
// input: stdin "\x08ABCDEFGH12345678901234567890123456789012345678"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char packet[47];
    take(packet, sizeof packet);
    unsigned length = packet[0] & 31u;
    unsigned char *payload = calloc(32, 1);
    if (payload == NULL)
        return 1;
    memcpy(payload, packet + 1, length);
    KEEP(payload[0]);
    free(payload);
    return 0;
}

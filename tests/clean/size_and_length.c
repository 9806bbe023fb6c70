// The room for a payload is compared with its length.
// input: stdin "\x08\x0412345678901234567890123456789012"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char packet[34];
    take(packet, sizeof packet);
    unsigned room = packet[0] & 31u, length = packet[1] & 31u;
    if (length > room)
        return 1;
    unsigned char *payload = malloc(room);
    if (payload == NULL)
        return 1;
    memcpy(payload, packet + 2, length);
    free(payload);
    return 0;
}

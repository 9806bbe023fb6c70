// The room for a payload and its length are different fields of the header.
// input: stdin "\x08\x0412345678901234567890123456789012"
// witness: stdin "\x08\x1012345678901234567890123456789012"
#include "../include/records.h"

int main(void) {
    unsigned char packet[34];
    take(packet, sizeof packet);
    unsigned room = packet[0] & 31u, length = packet[1] & 31u;
    unsigned char *payload = malloc(room);
    if (payload == NULL)
        return 1;
    memcpy(payload, packet + 2, length); //~ heap-buffer-overflow | string-overflow
    free(payload);
    return 0;
}

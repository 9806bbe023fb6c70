// A length in an unsigned char becomes a size.
// input: stdin "\xf5hello"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char packet[6];
    take(packet, sizeof packet);
    size_t length = packet[0];
    KEEP(length + packet[1]);
    return 0;
}

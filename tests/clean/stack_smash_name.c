// A host name of up to 255 bytes in a variable of 256.
// input: stdin "\x04mail............................................................"
//~ verified
#include "../include/records.h"

__attribute__((noinline)) static int resolve(const unsigned char *packet, size_t length) {
    char name[256] = {0};
    memcpy(name, packet, length);
    return name[0];
}

int main(void) {
    unsigned char packet[65];
    take(packet, sizeof packet);
    if (packet[0] > 64)
        return 1;
    KEEP(resolve(packet + 1, packet[0]));
    return 0;
}

// A host name of up to 255 bytes is copied into a variable for short ones.
// input: stdin "\x04mail............................................................"
// witness: stdin "\x40mail............................................................"
#include "../include/records.h"

__attribute__((noinline)) static int resolve(const unsigned char *packet, unsigned length) {
    char name[24] = {0};
    memcpy(name, packet, length); //~ stack-smash | stack-buffer-overflow | string-overflow
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

// A length in a char becomes a size.
// input: stdin "\x05hello"
// checks: default,sign-extension
// witness: stdin "\xfbhello"
#include "../include/records.h"

int main(void) {
    char packet[6], copy[8] = {0};
    take(packet, sizeof packet);
    size_t length = packet[0]; //~ sign-extension
    if (length <= 5)
        memcpy(copy, packet + 1, length);
    KEEP(copy[0]);
    return 0;
}

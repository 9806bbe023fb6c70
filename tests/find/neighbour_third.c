// Options behind a header, of which the run has none: that there are some, that one is no padding, and of which kind it is.
// input: stdin "\x40\x04\x00\x35\x00\x35"
// witness: stdin "\x60\x04\x07\x30\x00\x35"
#include "../include/records.h"

int main(void) {
    unsigned char packet[64], route[16] = {0};
    size_t size = read(0, packet, sizeof packet);
    if (size < 6 || size > sizeof packet || packet[0] >> 6 != 1)
        return 1;
    size_t end = 2 + (packet[0] >> 4 & 3);
    for (size_t at = 2; at < end;) {
        unsigned kind = packet[at];
        if (kind == 0)
            break;
        if (kind == 1) {
            at++;
            continue;
        }
        unsigned length = packet[at + 1];
        if (length < 2)
            return 1;
        if (kind == 7)
            route[length] = packet[0]; //~ array-index | stack-buffer-overflow
        at += length;
    }
    KEEP(route[0] + route[3]);
    return 0;
}

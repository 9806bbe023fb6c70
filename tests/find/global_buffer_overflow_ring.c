// A ring buffer wraps around one element too late.
// input: stdin "\x07x"
// witness: stdin "\x08x"
#include "../include/records.h"

#define RING 8

static char ring[RING];

static void put(char *at, char what) {
    *at = what; //~ global-buffer-overflow
}

int main(void) {
    unsigned char packet[2];
    take(packet, sizeof packet);
    unsigned head = packet[0];
    if (head > RING)
        head = 0;
    put(ring + head, (char)packet[1]);
    KEEP(ring[0]);
    return 0;
}

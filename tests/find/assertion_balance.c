// What goes out has come in: an invariant over three fields with nothing that makes it hold.
// input: stdin "\x10\x04\x0c"
// witness: stdin "\x10\x08\x0c"
#include "../include/records.h"

int main(void) {
    unsigned char packet[3];
    take(packet, sizeof packet);
    unsigned total = packet[0], head = packet[1], body = packet[2];
    assert(head + body <= total); //~ assertion
    KEEP(total);
    return 0;
}

// A record of any length goes into a buffer that is larger than what is followed of one.
// input: stdin "\x00\x02abcdefgh"
// witness: stdin "\x00\x06abcdefgh"
#include "../../include/records.h"

int main(void) {
    static unsigned char packet[4096], buffer[4096];
    if (read(0, packet, sizeof packet) < 10)
        return 1;
    size_t length = be16(packet);
    if (length > sizeof packet - 2)
        return 1;
    memcpy(buffer, packet + 2, length);
    assert(buffer[5] == 0); //~ assertion
    return 0;
}

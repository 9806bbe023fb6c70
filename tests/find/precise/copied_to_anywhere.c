// Where a record is put and how long it is comes from the input; what is behind it stays.
// input: stdin "\x00\x02abcdefgh"
// witness: stdin "\x05\x05abcdefgh"
#include "../../include/records.h"

int main(void) {
    unsigned char packet[10], frame[16];
    take(packet, sizeof packet);
    size_t to = packet[0], length = packet[1];
    if (to > 8 || length > 8)
        return 1;
    memset(frame, '-', sizeof frame);
    memcpy(frame + to, packet + 2, length);
    assert(((frame[9] == 'e') & (frame[10] == '-')) == 0); //~ assertion
    return 0;
}

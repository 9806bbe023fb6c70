// Of a name that is copied as far as the input says, a byte behind the longest one stays as it was.
// input: stdin "\x02passwd"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char packet[7];
    char name[8] = "________";
    take(packet, sizeof packet);
    if (packet[0] > 6)
        return 1;
    memcpy(name, packet + 1, packet[0]);
    assert(name[6] == '_');
    return 0;
}

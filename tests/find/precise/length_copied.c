// How much of a name is copied depends on the input; what stands behind it is what was there before.
// input: stdin "\x02passwd"
// witness: stdin "\x05passwd"
#include "../../include/records.h"

int main(void) {
    unsigned char packet[7];
    char name[8] = "________";
    take(packet, sizeof packet);
    if (packet[0] > 6)
        return 1;
    memcpy(name, packet + 1, packet[0]);
    assert(!(name[4] == 'w' && name[5] == '_')); //~ assertion
    return 0;
}

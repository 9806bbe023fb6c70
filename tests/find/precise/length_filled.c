// How much of a table is filled depends on the input.
// input: stdin "\x03\x05"
// witness: stdin "\x15\x05"
#include "../../include/records.h"

int main(void) {
    unsigned char packet[2], table[32] = {0};
    take(packet, sizeof packet);
    memset(table, packet[1], packet[0] & 31u);
    assert(table[20] != 5); //~ assertion
    return 0;
}

// One shift or the other, by what the input says: the same instruction, which has two checks.
// input: stdin "\x01\x05\x02"
// witness: stdin "\x01\x28\x02"
#include "../include/records.h"

int main(void) {
    unsigned char bytes[3];
    take(bytes, sizeof bytes);
    unsigned mask;
    if (bytes[0])
        mask = 1u << bytes[1]; //~ shift
    else
        mask = 1u << bytes[2]; //~ shift
    KEEP(mask);
    return 0;
}

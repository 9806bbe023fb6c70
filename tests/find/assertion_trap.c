// A version that is not known ends in a trap.
// input: stdin "\x02\x00"
// witness: stdin "\x03\x00"
#include "../include/records.h"

int main(void) {
    unsigned char version[2];
    take(version, sizeof version);
    if (le16(version) > 2)
        __builtin_trap(); //~ assertion
    KEEP(version[0]);
    return 0;
}

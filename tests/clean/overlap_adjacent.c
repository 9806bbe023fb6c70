// Two halves of a buffer touch and do not overlap.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x08"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char halves[16] = {0}, count;
    take(halves, 8);
    take(&count, sizeof count);
    if (count > 8)
        return 1;
    memcpy(halves + 8, halves, count);
    KEEP(halves[8]);
    return 0;
}

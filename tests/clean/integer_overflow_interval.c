// The end of an interval is compared without being computed.
// input: stdin "\x00\x00\x10\x00\x00\x00\x02\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char record[8];
    take(record, sizeof record);
    int start = (int)be32(record), length = (int)be32(record + 4);
    if (start < 0 || length < 0 || start > INT32_MAX - length)
        return 1;
    KEEP(start + length);
    return 0;
}

// The end of an interval is its start and its length.
// input: stdin "\x00\x00\x10\x00\x00\x00\x02\x00"
// witness: stdin "\x7f\xff\xff\xff\x00\x00\x02\x00"
#include "../include/records.h"

int main(void) {
    unsigned char record[8];
    take(record, sizeof record);
    int start = (int)be32(record), length = (int)be32(record + 4);
    if (start < 0 || length < 0)
        return 1;
    int end = start + length; //~ integer-overflow
    KEEP(end);
    return 0;
}

// A checksum that does not match is no reason to give up all at once.
// input: stdin "abcd\x8a\x01"
// witness: stdin "abcd\x8a\x02"
#include "../include/records.h"

int main(void) {
    unsigned char record[6];
    uint32_t sum = 0;
    take(record, sizeof record);
    for (int i = 0; i < 4; i++)
        sum += record[i];
    if (sum != le16(record + 4))
        abort(); //~ assertion
    KEEP(sum);
    return 0;
}

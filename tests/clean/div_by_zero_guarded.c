// The mean of what is left, if anything is.
// input: stdin "\x05\x02\x64"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char record[3];
    take(record, sizeof record);
    int left = record[0] - record[1];
    if (left <= 0)
        return 1;
    KEEP(record[2] / left);
    return 0;
}

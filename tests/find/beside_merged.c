// A flag that the run does not have lets the input choose the divisor; both ways meet before it is used.
// input: stdin "\x00\x08\x64"
// witness: stdin "\x01\x09\x64"
#include "../include/records.h"

int main(void) {
    unsigned char record[3];
    take(record, sizeof record);
    int divisor = 100;
    if (record[0] & 1)
        divisor = record[1] - 9;
    KEEP(record[2] / divisor); //~ div-by-zero
    return 0;
}

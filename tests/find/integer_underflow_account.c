// A withdrawal is at least 0, and the account may be overdrawn; there is an end to that too.
// input: stdin "\xff\xff\xff\x9c\x00\x00\x00\x32"
// witness: stdin "\x80\x00\x00\x01\x00\x00\x00\x32"
#include "../include/records.h"

int main(void) {
    unsigned char record[8];
    take(record, sizeof record);
    int balance = (int)be32(record), amount = (int)be32(record + 4);
    if (amount < 0)
        return 1;
    balance = balance - amount; //~ integer-underflow
    KEEP(balance);
    return 0;
}

// A balance and what is booked: one input makes the sum too large, another one too small, and none does both.
// input: stdin "\x05\x00\x00\x00\xfd\xff\xff\xff"
// witness: stdin "\xff\xff\xff\x7f\x01\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    int balance, booked;
    take(&balance, sizeof balance);
    take(&booked, sizeof booked);
    balance += booked; //~ integer-overflow //~ integer-underflow
    KEEP(balance);
    return 0;
}

// The absolute value of a number, for all numbers but one.
// input: stdin "\xf6\xff\xff\xff"
// witness: stdin "\x00\x00\x00\x80"
#include "../include/records.h"

int main(void) {
    int number;
    take(&number, sizeof number);
    if (number < 0)
        number = -number; //~ integer-overflow
    KEEP(number);
    return 0;
}

// A decimal number of ten digits does not always fit an int.
// input: stdin "0000000042"
// witness: stdin "9999999999"
#include "../include/records.h"

int main(void) {
    char digits[10];
    int number = 0;
    take(digits, sizeof digits);
    for (int i = 0; i < 10; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 1;
        number = number * 10 + (digits[i] - '0'); //~ integer-overflow //~? integer-underflow
    }
    KEEP(number);
    return 0;
}

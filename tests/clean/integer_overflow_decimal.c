// Nine digits always fit an int.
// input: stdin "000000042"
//~ verified
#include "../include/records.h"

int main(void) {
    char digits[9];
    int number = 0;
    take(digits, sizeof digits);
    for (int i = 0; i < 9; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 1;
        number = number * 10 + (digits[i] - '0');
    }
    KEEP(number);
    return 0;
}

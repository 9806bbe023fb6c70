// The mean of two numbers, and what is far away from it: a distance in whole steps is too long for the table.
// input: stdin "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x08\x40"
// witness: stdin "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x37\x40"
#include <math.h>

#include "../include/records.h"

int main(void) {
    static const unsigned char table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    double numbers[2];
    take(numbers, sizeof numbers);
    double mean = (numbers[0] + numbers[1]) / 2.0, distance = fabs(numbers[1] - mean);
    if (!(distance < 12.0))
        return 1;
    KEEP(table[(int)distance]); //~ array-index | global-buffer-overflow
    return 0;
}

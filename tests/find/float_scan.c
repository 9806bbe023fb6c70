// A price and a number of pieces; the discount is computed for one total only.
// input: stdin "12.50 3\n"
// witness: stdin "99.75 1\n"
#include "../include/records.h"

int main(void) {
    float price;
    int pieces;
    if (scanf("%f %d", &price, &pieces) != 2)
        return 1;
    assert(price * (float)pieces != 99.75f); //~ assertion
    return 0;
}

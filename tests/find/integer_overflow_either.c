// Two sums, one for each way of a branch: optimisation makes one of what both ways do, and the checks of both must stay.
// input: stdin "\x01\x05\x00\x00\x00\x02\x00\x00\x00"
// witness: stdin "\x01\xff\xff\xff\x7f\x02\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    char adds;
    int a, b, result;
    take(&adds, sizeof adds);
    take(&a, sizeof a);
    take(&b, sizeof b);
    if (adds)
        result = a + b; //~ integer-overflow //~ integer-underflow
    else
        result = a - b; //~ integer-overflow //~ integer-underflow
    return result & 1;
}

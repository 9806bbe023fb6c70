// The operations of a machine, of which the run does one: as all end in the same place, optimisation makes one of their checks.
// input: stdin "\x03\x05\x00\x00\x00\x02\x00\x00\x00"
// witness: stdin "\x03\x00\x00\x01\x00\x00\x00\x01\x00"
#include "../include/records.h"

int main(void) {
    char operation;
    int a, b, result = 0;
    take(&operation, sizeof operation);
    take(&a, sizeof a);
    take(&b, sizeof b);
    switch (operation) {
    case 1:
        result = a + b; //~ integer-overflow //~ integer-underflow
        break;
    case 2:
        result = a - b; //~ integer-overflow //~ integer-underflow
        break;
    case 3:
        result = a * b; //~ integer-overflow //~ integer-underflow
        break;
    }
    return result & 1;
}

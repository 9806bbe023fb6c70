// An array on the stack is as long as the input says, and what is wrong happens only in one that is much longer.
// input: stdin "\x00\x0a\x00\x05"
// witness: stdin "\x02\x58\x01\xf4"
#include "../../include/records.h"

int main(void) {
    unsigned char input[4];
    take(input, sizeof input);
    size_t size = be16(input), index = be16(input + 2);
    if (index >= size || size > 4096)
        return 1;
    unsigned char record[size];
    record[0] = 0;
    record[index] = 1;
    KEEP(record[0]);
    assert(index != 500); //~ assertion
    return 0;
}

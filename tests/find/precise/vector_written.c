// Four numbers are written at once, to a row that the input chooses.
// input: stdin "\x00\x01\x02\x03\x04"
// witness: stdin "\x03\x01\x02\x4d\x04"
#include "../../include/records.h"

typedef uint32_t Row __attribute__((vector_size(16)));

int main(void) {
    unsigned char input[5];
    Row rows[4] = {{0}};
    take(input, sizeof input);
    rows[input[0] & 3] = (Row){input[1], input[2], input[3], input[4]};
    assert(rows[3][2] != 77); //~ assertion
    return 0;
}

// Precise pointers, section 3.5: a write at an index from the input, seen by a read at a fixed one.
// input: stdin "\x01"
// witness: stdin "\x03"
#include "../../include/records.h"

int main(void) {
    unsigned char a[4] = {1, 2, 3, 4}, x;
    take(&x, sizeof x);
    if (x > 3)
        return 1;
    a[x] = 0;
    if (a[3] == 0)
        assert(0); //~ assertion
    return 0;
}

// Two factors of 221.
// input: stdin "\x00\x00"
// paths: 4
//~ verified
#include <assert.h>
#include "bytes.h"

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    if (b[0] < 2) return 0;
    mark();
    if (b[1] < 2) return 0;
    mark();
    assert(b[0] * b[1] != 221); //~ assertion
    return 0;
}

// Three bytes with a certain hash.
// input: stdin "\x00\x00\x00"
// paths: 2
//~ verified
#include <assert.h>
#include "bytes.h"

int main(void) {
    unsigned char b[3];
    if (!get(b, 3)) return 1;
    unsigned hash = 5381;
    for (int i = 0; i < 3; i++) hash = hash * 33 ^ b[i];
    assert(hash != (((5381u * 33 ^ 'k') * 33 ^ 'e') * 33 ^ 'y')); //~ assertion
    return 0;
}

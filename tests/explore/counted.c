// A loop that runs as often as three bits of the input say.
// input: stdin "\x00"
// paths: 8
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    for (int i = 0; i < (x & 7); i++) mark();
    return 0;
}

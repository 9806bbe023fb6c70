// Decides by what it reads at an address that depends on the input, and reads too far.
// input: stdin "\x00"
// paths: 2
//~ verified
#include "bytes.h"

static int table[10] = {1, 2, 3};

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    if (table[x & 15] == 2) mark(); //~ array-index | global-buffer-overflow
    return 0;
}

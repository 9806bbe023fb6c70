// Reads at an address that depends on the input, which is followed for one address only: never called verified.
// input: stdin "\x00"
#include "bytes.h"

static int table[10] = {1, 2, 3};

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    return table[x & 15] == 2; //~ array-index | global-buffer-overflow
}

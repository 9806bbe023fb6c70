// A hundred blocks of their own: which one is read depends on the input, and the place within it is always inside.
// input: stdin "\x05\x01"
#include "../include/records.h"

static int *blocks[128];

int main(void) {
    unsigned char bytes[2];
    for (int i = 0; i < 128; i++) {
        blocks[i] = malloc(3 * sizeof(int));
        if (blocks[i] == NULL)
            return 1;
        for (int j = 0; j < 3; j++)
            blocks[i][j] = i * j;
    }
    take(bytes, sizeof bytes);
    int *block = blocks[bytes[0] & 127];
    KEEP(block[bytes[1] % 3]);
    return 0;
}

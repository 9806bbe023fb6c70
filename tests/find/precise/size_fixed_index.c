// A block of a size from the input is taken to be large enough for its header.
// input: stdin "\x14"
// witness: stdin "\x0a"
#include "../../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    unsigned char *block = malloc(length);
    if (block == NULL)
        return 1;
    block[10] = 1; //~ heap-buffer-overflow
    KEEP(block[10]);
    free(block);
    return 0;
}

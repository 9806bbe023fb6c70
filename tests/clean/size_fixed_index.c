// A block of a size from the input is large enough for its header, because that is looked at first.
// input: stdin "\x14"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    if (length <= 10)
        return 1;
    unsigned char *block = malloc(length);
    if (block == NULL)
        return 1;
    block[10] = 1;
    KEEP(block[10]);
    free(block);
    return 0;
}

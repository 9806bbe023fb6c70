// Entries of 24 bytes are copied within a block by offsets that need not be those of entries.
// input: stdin "\x00\x18"
// witness: stdin "\x00\x08"
#include "../include/records.h"
#include <stdlib.h>

static void copy(unsigned char *to, const unsigned char *from) {
    memcpy(to, from, 24); //~ overlap
}

int main(void) {
    unsigned char at[2];
    take(at, sizeof at);
    unsigned char *block = calloc(4, 24);
    if (!block || at[0] > 72 || at[1] > 72)
        return 1;
    copy(block + at[0], block + at[1]);
    KEEP(block[0]);
    free(block);
    return 0;
}

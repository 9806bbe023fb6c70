// A block that is written and never read, nor freed: optimisation takes the write away.
// input: stdin "\x01"
// witness: stdin "\x05"
// fixme: as nobody frees or reads the block, LLVM sees that what is written to it does not matter
#include "../include/records.h"
#include <stdlib.h>

int main(void) {
    unsigned char at;
    take(&at, sizeof at);
    char *block = malloc(4);
    if (!block)
        return 1;
    block[at & 7] = 1; //~ heap-buffer-overflow
    return 0;
}

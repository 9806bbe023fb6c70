// Universal checks, Figure 6: the size is bounded right before it is allocated.
// input: stdin "\x05\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    int i;
    take(&i, sizeof i);
    if (0 < i && i < 10) {
        void *block = malloc((size_t)i);
        free(block);
    }
    return 0;
}

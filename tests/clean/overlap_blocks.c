// As much as fits is copied from one block to another: they never overlap, whichever lies first.
// input: stdin "\x05hello, hello, hello"
//~ verified
#include "../include/records.h"
#include <stdlib.h>

int main(void) {
    unsigned char size;
    char *from = malloc(16), *to = malloc(16);
    if (!from || !to)
        return 1;
    take(&size, sizeof size);
    take(from, 16);
    memset(to, 0, 16);
    memcpy(to, from, size < 16 ? size : 16);
    KEEP(to[0]);
    free(from);
    free(to);
    return 0;
}

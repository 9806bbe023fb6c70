// A buffer is made as small as the input says, and its last byte is where that says.
// input: stdin "\x40"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    if (length == 0 || length > 64)
        return 1;
    unsigned char *buffer = calloc(64, 1);
    if (buffer == NULL)
        return 1;
    unsigned char *smaller = realloc(buffer, length);
    if (smaller == NULL)
        return 1;
    KEEP(smaller[length - 1]);
    free(smaller);
    return 0;
}

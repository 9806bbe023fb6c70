// A buffer is made as small as the input says, and its last byte is looked for where it was before.
// input: stdin "\x40"
// witness: stdin "\x3f"
#include "../../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    if (length == 0)
        return 1;
    unsigned char *buffer = calloc(64, 1);
    if (buffer == NULL)
        return 1;
    unsigned char *smaller = realloc(buffer, length);
    if (smaller == NULL)
        return 1;
    KEEP(smaller[63]); //~ heap-buffer-overflow
    free(smaller);
    return 0;
}

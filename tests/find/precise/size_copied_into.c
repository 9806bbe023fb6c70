// A block of a fixed length is copied into one whose length the input says.
// input: stdin "\x80"
// witness: stdin "\x30"
#include "../../include/records.h"

static unsigned char table[96];

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    unsigned char *copy = malloc(length);
    if (copy == NULL)
        return 1;
    memcpy(copy, table, sizeof table); //~ heap-buffer-overflow | string-overflow
    KEEP(copy[0]);
    free(copy);
    return 0;
}

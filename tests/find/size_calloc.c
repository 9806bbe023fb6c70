// As many entries are asked for as one field says, and as many are written as another one says.
// input: stdin "\x03\x03"
// witness: stdin "\x02\x03"
#include "../include/records.h"

int main(void) {
    unsigned char header[2];
    take(header, sizeof header);
    uint32_t *entries = calloc(header[0], sizeof *entries);
    if (entries == NULL)
        return 1;
    for (unsigned i = 0; i < header[1]; i++)
        entries[i] = i; //~ heap-buffer-overflow
    KEEP(entries[0]);
    free(entries);
    return 0;
}

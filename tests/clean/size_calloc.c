// As many entries are written as were asked for.
// input: stdin "\x03\x03"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char header[2];
    take(header, sizeof header);
    if (header[0] < header[1])
        return 1;
    uint32_t *entries = calloc(header[0], sizeof *entries);
    if (entries == NULL)
        return 1;
    for (unsigned i = 0; i < header[1]; i++)
        entries[i] = i;
    free(entries);
    return 0;
}

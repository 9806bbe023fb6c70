// The size of a table is computed in as many bits as it needs.
// input: stdin "\x02\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    uint32_t count;
    take(&count, sizeof count);
    if (count > 1u << 20)
        return 1;
    unsigned char *records = malloc((size_t)count * 16);
    free(records);
    return 0;
}

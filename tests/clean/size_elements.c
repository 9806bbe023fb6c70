// The size of a block is rounded up to an even number of records.
// input: stdin "\x04"
//~ verified
#include "../include/records.h"

struct record {
    uint32_t key;
    uint32_t value;
};

int main(void) {
    unsigned char count;
    take(&count, sizeof count);
    if (count == 0 || count > 32)
        return 1;
    struct record *records = malloc(((size_t)count + 1) / 2 * 2 * sizeof *records);
    if (records == NULL)
        return 1;
    records[count - 1].value = 7;
    free(records);
    return 0;
}

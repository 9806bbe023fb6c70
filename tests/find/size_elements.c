// Room for half a record too few is asked for, which shows with an odd number of records only.
// input: stdin "\x04"
// witness: stdin "\x05"
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
    struct record *records = malloc((size_t)count / 2 * 2 * sizeof *records);
    if (records == NULL)
        return 1;
    records[count - 1].value = 7; //~ heap-buffer-overflow
    free(records);
    return 0;
}

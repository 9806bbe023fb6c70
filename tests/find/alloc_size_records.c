// Records of 16 bytes: more than 268 million of them need less memory than one.
// input: stdin "\x02\x00\x00\x00"
// witness: stdin "\x01\x00\x00\x10"
#include "../include/records.h"

int main(void) {
    uint32_t count;
    take(&count, sizeof count);
    if (count == 0)
        return 0;
    unsigned char *records = malloc(count * 16u); //~ alloc-size | integer-overflow
    free(records);
    return 0;
}

// Whether a sum has wrapped around is tested before it is a size.
// input: stdin "\x10\x00\x00\x00\x20\x00\x00\x00"
#include "../../include/records.h"

int main(void) {
    unsigned char lengths[8];
    take(lengths, sizeof lengths);
    uint32_t head = le32(lengths), body = le32(lengths + 4);
    uint32_t total = head + body;
    if (total < head || total > 4096)
        return 1;
    char *block = malloc(total);
    KEEP(block);
    free(block);
    return 0;
}

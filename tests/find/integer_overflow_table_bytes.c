// How many bytes a table needs is computed in 32 bits.
// input: stdin "\x04\x00\x00\x00"
// witness: stdin "\x56\x55\x55\x15"
#include "../include/records.h"

struct entry {
    uint32_t words[3];
};

int main(void) {
    unsigned char head[4];
    take(head, sizeof head);
    uint32_t count = le32(head);
    uint32_t bytes = count * (uint32_t)sizeof(struct entry); //~ integer-overflow | alloc-size
    struct entry *table = malloc(bytes); //~? alloc-size
    free(table);
    return 0;
}

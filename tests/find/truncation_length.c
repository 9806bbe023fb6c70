// A length of four bytes is kept in two.
// input: stdin "\x00\x00\x00\x20"
// checks: default,truncation
// witness: stdin "\x00\x01\x00\x20"
#include "../include/records.h"

struct chunk {
    uint16_t length;
    uint16_t kind;
};

int main(void) {
    unsigned char head[4];
    struct chunk chunk = {0, 0};
    take(head, sizeof head);
    chunk.length = be32(head); //~ truncation
    KEEP(chunk.length);
    return 0;
}

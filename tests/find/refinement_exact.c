// The program's own test wraps around; the condition is about the true sum.
// input: stdin "\x10\x00\x00\x00\x08\x00\x00\x00"
// witness: stdin "\xf0\xff\xff\xff\x18\x00\x00\x00"
#include <provoke.h>

#include "../include/records.h"

struct piece {
    uint32_t offset;
    PROVOKE_REFINE("offset + length <= 4096") uint32_t length;
};

int main(void) {
    unsigned char head[8];
    struct piece piece;
    take(head, sizeof head);
    piece.offset = le32(head);
    uint32_t length = le32(head + 4);
    if (piece.offset + length > 4096)
        return 1;
    piece.length = length; //~ refinement
    KEEP(piece.length);
    return 0;
}

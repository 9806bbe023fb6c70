// A switch over two bits has all four cases.
// input: stdin "\x82"
//~ verified
#include "../include/records.h"

static void keep_width(unsigned kind) {
    switch (kind) {
    case 0: KEEP(kept + 1); break;
    case 1: KEEP(kept * 2); break;
    case 2: KEEP(kept ^ 4); break;
    case 3: KEEP(8); break;
    default: __builtin_unreachable();
    }
}

int main(void) {
    unsigned char head;
    take(&head, sizeof head);
    keep_width(head & 3);
    return 0;
}

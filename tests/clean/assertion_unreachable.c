// A switch over two bits has all four cases.
// input: stdin "\x82"
//~ verified
#include "../include/records.h"

static int width_of(unsigned kind) {
    switch (kind) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 4;
    case 3: return 8;
    default: __builtin_unreachable();
    }
}

int main(void) {
    unsigned char head;
    take(&head, sizeof head);
    KEEP(width_of(head & 3));
    return 0;
}

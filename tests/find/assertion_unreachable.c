// A switch over two bits says that there is no fourth case.
// input: stdin "\x82"
// witness: stdin "\x83"
#include "../include/records.h"

static int width_of(unsigned kind) {
    switch (kind) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 4;
    default: __builtin_unreachable(); //~ assertion
    }
}

int main(void) {
    unsigned char head;
    take(&head, sizeof head);
    KEEP(width_of(head & 3));
    return 0;
}

// A function that keeps what it promises on all of its ways.
// input: stdin "\x04\x10"
//~ verified
#include <provoke.h>

#include "../include/records.h"

PROVOKE_REFINE("0 <= result && result <= room")
__attribute__((noinline)) static int measure(int length, int room) {
    if (length < room)
        return length;
    return room;
}

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    KEEP(measure(head[0], head[1]));
    return 0;
}

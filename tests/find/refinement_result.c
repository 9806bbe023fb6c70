// A function that promises never to return more than it was given room for; the last of its ways may.
// input: stdin "\x01\x04\x10"
// witness: stdin "\x01\x40\x10"
#include <provoke.h>

#include "../include/records.h"

PROVOKE_REFINE("0 <= result && result <= room")
__attribute__((noinline)) static int measure(int kind, int length, int room) {
    if (kind == 0)
        return 0;
    return length; //~ refinement
}

int main(void) {
    unsigned char head[3];
    take(head, sizeof head);
    KEEP(measure(head[0], head[1], head[2]));
    return 0;
}

// A parameter with a condition, and a caller that looks first.
// input: stdin "\x40\x10"
//~ verified
#include <provoke.h>

#include "../include/records.h"

__attribute__((noinline)) static int blocks(int length, PROVOKE_REFINE("size > 0") int size) { return length / size; }

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    if (head[1] == 0)
        return 1;
    KEEP(blocks(head[0], head[1]));
    return 0;
}

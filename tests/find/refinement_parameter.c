// A parameter with a condition, and a caller that does not know it.
// input: stdin "\x40\x10"
// witness: stdin "\x40\x00"
#include <provoke.h>

#include "../include/records.h"

__attribute__((noinline)) static int blocks(int length, PROVOKE_REFINE("size > 0") int size) { //~ refinement
    return size > 0 ? length / size : 0;
}

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    KEEP(blocks(head[0], head[1])); //~? refinement
    return 0;
}

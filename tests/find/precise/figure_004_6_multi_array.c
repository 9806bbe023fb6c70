// Precise pointers, Figure 6: a read through a pointer that was itself read at an index from the input.
// input: stdin "\x00\x00"
// witness: stdin "\x01\x00"
// witness: stdin "\x09\x00"
// witness: stdin "\x00\x09"
#include "../../include/records.h"

static void multi_array(unsigned char x, unsigned char y) {
    unsigned char **a = malloc(2 * sizeof *a);
    a[0] = malloc(2);
    a[1] = malloc(3);
    a[0][0] = 0;
    a[0][1] = 1;
    a[1][0] = 2;
    a[1][1] = 3;
    a[1][2] = 4;
    if (a[x][y] == y + 2) //~ heap-buffer-overflow
        assert(0); //~ assertion
    free(a[0]);
    free(a[1]);
    free(a);
}

int main(void) {
    unsigned char input[2];
    take(input, sizeof input);
    multi_array(input[0], input[1]);
    return 0;
}

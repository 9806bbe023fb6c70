// Precise pointers, Figure 1: two elements of an array at indices from the input differ by 2.
// input: stdin "\x00\x01"
// witness: stdin "\x03\x01"
// witness: stdin "\x0a\x00"
#include "../../include/records.h"

static void single_array(unsigned char x, unsigned char y) {
    unsigned char *a = malloc(4);
    if (a == NULL)
        return;
    a[0] = x;
    a[1] = 0;
    a[2] = 1;
    a[3] = 2;
    if (a[x] == a[y] + 2) //~ heap-buffer-overflow
        assert(0); //~ assertion
    free(a);
}

int main(void) {
    unsigned char input[2];
    take(input, sizeof input);
    single_array(input[0], input[1]);
    return 0;
}

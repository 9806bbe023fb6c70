// Universal checks, Figure 5: the size that is allocated grows in the loop.
// input: stdin "\x03\x00\x00\x00\x40\x00\x00\x00"
// witness: stdin "\x03\x00\x00\x00\xf0\xff\xff\xff"
// witness: stdin "\x03\x00\x00\x00\xff\xff\xff\x7f"
#include "../include/records.h"

static void testme(int bound, int s) {
    int a = s;
    for (int i = 0; i < bound && i < 100; i++)
        a++; //~ integer-overflow
    char *block = malloc(a); //~ alloc-size | sign-extension
    free(block);
}

int main(void) {
    int bound, s;
    take(&bound, sizeof bound);
    take(&s, sizeof s);
    testme(bound, s);
    return 0;
}

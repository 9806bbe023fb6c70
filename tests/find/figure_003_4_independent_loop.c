// Universal checks, Figure 4: a loop that has nothing to do with the size that is allocated.
// input: stdin "\x03\x00\x00\x00\x40\x00\x00\x00"
// witness: stdin "\x03\x00\x00\x00\xff\xff\xff\xff"
#include "../include/records.h"

static void testme(int bound, int s, int k) {
    for (int i = 0; i < bound && i < 100; i++)
        k ^= i;
    KEEP(k);
    char *block = malloc(s); //~ alloc-size | sign-extension
    free(block);
}

int main(void) {
    int bound, s;
    take(&bound, sizeof bound);
    take(&s, sizeof s);
    testme(bound, s, 0);
    return 0;
}

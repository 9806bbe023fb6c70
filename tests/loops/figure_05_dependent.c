// Universal checks, Figure 5: the size that is allocated grows in the loop.
// input: stdin "\x02\x00\x00\x00\x40\x00\x00\x00"
// loops: 10 dependent
#include "../include/records.h"

static void testme(int bound, unsigned s) {
    unsigned a = s;
    if (bound > 5 || s > 1000)
        return;
    for (int i = 0; i < bound; i++)
        a += s & 3;
    char *block = malloc(a + 1);
    KEEP(block);
    free(block);
}

int main(void) {
    int bound;
    unsigned s;
    take(&bound, sizeof bound);
    take(&s, sizeof s);
    testme(bound, s);
    return 0;
}

// Universal checks, Figure 4: the loop has nothing to do with the size that is allocated.
// input: stdin "\x02\x00\x00\x00\x40\x00\x00\x00"
// loops: 10 independent
// paths: 6
#include "../include/records.h"

static void testme(int bound, int s) {
    if (bound > 60 || s < 0)
        return;
    for (int i = 0; i < bound; i++)
        putchar('k');
    char *block = malloc(s + 1); //~ integer-overflow
    free(block);
}

int main(void) {
    int bound, s;
    take(&bound, sizeof bound);
    take(&s, sizeof s);
    testme(bound, s);
    return 0;
}

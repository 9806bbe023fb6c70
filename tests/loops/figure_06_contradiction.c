// Universal checks, Figures 6 and 7: the size in each iteration is protected by the guard right before it.
// input: stdin "\x03\x05\x00\x00\x00"
// loops: 16 independent
// loops without contradiction: 16 dependent
#include "../include/records.h"

static volatile int i; /* so that the compiler does not see that the guard protects it */
static char *blocks[20];

__attribute__((noinline)) static void testme(unsigned char bound) {
    if (bound > 20)
        return;
    for (int k = 0; k < bound; k++) {
        if (0 < i && i < 10)
            blocks[k] = malloc(i * (uint32_t)sizeof(int) + k);
        if (blocks[k] == NULL)
            return;
    }
}

int main(void) {
    unsigned char bound;
    take(&bound, sizeof bound);
    take((void *)&i, sizeof i);
    testme(bound);
    return 0;
}

// A block of code with hundreds of memory accesses: labels cross the seams at which it is cut.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
#include "observe.h"

static unsigned volatile table[256];

#define STEP(i) x = x * 5 + table[i], table[(i) + 1] = x ^ kept;
#define FOUR(i) STEP(i) STEP((i) + 1) STEP((i) + 2) STEP((i) + 3)
#define SIXTEEN(i) FOUR(i) FOUR((i) + 4) FOUR((i) + 8) FOUR((i) + 12)
#define SIXTY_FOUR(i) SIXTEEN(i) SIXTEEN((i) + 16) SIXTEEN((i) + 32) SIXTEEN((i) + 48)

int main(void) {
    take_input();
    unsigned x = in[0], kept = in[1], early = in[2];
    SIXTY_FOUR(0)
    SIXTY_FOUR(64)
    SIXTY_FOUR(128)
    OBSERVE(x == 1); //~ branch stdin[0-1]
    OBSERVE(table[100] == 1); //~ branch stdin[0-1]
    OBSERVE(early == 3); //~ branch taken stdin[2]
    return 0;
}

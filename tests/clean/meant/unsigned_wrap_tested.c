// The addition of a machine: done without signs, so that it may wrap around, and its result is tested before it is an index.
// input: stdin "\x03\x00\x00\x00\x02\x00\x00\x00"
//~ verified
#include "../../include/records.h"

int main(void) {
    int a, b;
    static char memory[8];
    take(&a, sizeof a);
    take(&b, sizeof b);
    a = (int)((unsigned)a + (unsigned)b);
    if (a < 0 || a > 7)
        return 1;
    memory[a] = 1;
    KEEP(memory[0]);
    return 0;
}

// A recursion as deep as the input says, up to a limit.
// input: stdin "\x02"
//~ verified
#include "../include/records.h"

static int descend(unsigned wanted, unsigned depth) {
    if (depth >= wanted || depth >= 40)
        return 0;
    return 1 + descend(wanted, depth + 1);
}

int main(void) {
    unsigned char wanted;
    take(&wanted, sizeof wanted);
    KEEP(descend(wanted, 0));
    return 0;
}

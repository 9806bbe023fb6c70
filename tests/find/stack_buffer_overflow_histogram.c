// A histogram of levels: one more level is let in than there are bins.
// input: stdin "\x01\x02\x01\x03"
// witness: stdin "\x01\x02\x01\x10"
#include "../include/records.h"

static void count(int *bins, unsigned level) {
    if (level <= 16)
        bins[level] += 1; //~ stack-buffer-overflow
}

int main(void) {
    unsigned char levels[4];
    int bins[16] = {0};
    take(levels, sizeof levels);
    for (int i = 0; i < 4; i++)
        count(bins, levels[i]);
    KEEP(bins[1]);
    return 0;
}

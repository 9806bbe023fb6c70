// A level is reduced to the number of bins.
// input: stdin "\x01\x02\x01\x03"
//~ verified
#include "../include/records.h"

static void count(int *bins, unsigned level) { bins[level % 16] += 1; }

int main(void) {
    unsigned char levels[4];
    int bins[16] = {0};
    take(levels, sizeof levels);
    for (int i = 0; i < 4; i++)
        count(bins, levels[i]);
    KEEP(bins[1]);
    return 0;
}

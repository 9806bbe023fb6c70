// Seconds since the epoch, in 64 bits outside and 32 bits inside.
// input: stdin "\x00\xf1\x53\x65\x00\x00\x00\x00"
// checks: default,truncation
// witness: stdin "\x00\xf1\x53\x65\x01\x00\x00\x00"
#include "../include/records.h"

static int days(int seconds) { return seconds / 86400; }

int main(void) {
    int64_t clock;
    take(&clock, sizeof clock);
    if (clock < 0)
        return 1;
    KEEP(days(clock)); //~ truncation
    return 0;
}

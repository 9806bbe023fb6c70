// Offsets are negative and relative to a place that is far enough from the start.
// input: stdin "\x01"
//~ verified
#include "../include/records.h"

int main(void) {
    signed char back;
    int gains[256] = {0};
    take(&back, sizeof back);
    KEEP(gains[128 + back]);
    return 0;
}

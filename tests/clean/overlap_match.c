// A match is copied as a whole only if it lies far enough behind.
// input: stdin "abcdefgh\x08\x04"
//~ verified?
#include "../include/records.h"

int main(void) {
    unsigned char coded[10];
    take(coded, sizeof coded);
    unsigned distance = coded[8], length = coded[9];
    unsigned char window[24] = {0};
    memcpy(window, coded, 8);
    if (distance > 8 || length > distance)
        return 1;
    memcpy(window + 8, window + (8 - distance), length);
    KEEP(window[8]);
    return 0;
}

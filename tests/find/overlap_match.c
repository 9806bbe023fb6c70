// A decompressor copies a match that lies close behind the place where it writes.
// input: stdin "abcdefgh\x04\x04"
// witness: stdin "abcdefgh\x04\x06"
#include "../include/records.h"

int main(void) {
    unsigned char coded[10];
    take(coded, sizeof coded);
    unsigned distance = coded[8], length = coded[9];
    unsigned char *window = malloc(24);
    if (window == NULL)
        return 1;
    memcpy(window, coded, 8);
    if (distance >= 1 && distance <= 8 && length <= 8) {
        memcpy(window + 8, window + 8 - distance, length); //~ overlap
        KEEP(window[8]);
    }
    free(window);
    return 0;
}

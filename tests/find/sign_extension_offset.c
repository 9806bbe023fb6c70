// An offset that may be negative goes to a function that seeks from the start.
// input: stdin "\x00\x10\x00\x04"
// checks: default,sign-extension
// witness: stdin "\x00\x01\xff\x04"
#include "../include/records.h"

static uint32_t seek_to(uint32_t at) { return at & 0xffff; }

int main(void) {
    unsigned char record[4];
    take(record, sizeof record);
    int base = (int)be16(record), delta = (int16_t)be16(record + 2);
    KEEP(seek_to(base + delta)); //~ sign-extension
    return 0;
}

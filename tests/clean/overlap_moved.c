// A screen is scrolled up by moving.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x04"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char screen[16], rest;
    take(screen, sizeof screen);
    take(&rest, sizeof rest);
    if (rest > 12)
        return 1;
    memmove(screen, screen + 4, rest);
    KEEP(screen[0]);
    return 0;
}

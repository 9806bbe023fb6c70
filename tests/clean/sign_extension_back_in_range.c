// A negative offset becomes a large number, and the sum wraps around to what was meant.
// input: stdin "\x25"
//~ verified
#include "../include/records.h"

int main(void) {
    static char buffer[80];
    unsigned char offset;
    take(&offset, sizeof offset);
    size_t middle = 40;
    int distance = offset % 64 - 32;
    buffer[middle + distance] = 1;
    KEEP(buffer[39]);
    return 0;
}

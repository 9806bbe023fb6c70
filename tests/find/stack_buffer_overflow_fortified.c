// Eight bytes that are copied behind the end of a buffer whose size the C library is told.
// input: stdin "\x00"
// witness: stdin "\x39"
#define _FORTIFY_SOURCE 2
#include "../include/records.h"

int main(void) {
    unsigned char at;
    char block[64] = "", text[8] = "abcdefg";
    take(&at, sizeof at);
    if (at > 60)
        return 1;
    memcpy(block + at, text, sizeof text); //~ stack-buffer-overflow
    return block[17];
}

// Copies behind the end of buffers whose sizes the C library is told.
// input: stdin "\x00\x00\x00"
// witness: stdin "\x39\x39\x39"
#define _FORTIFY_SOURCE 2
#define _GNU_SOURCE
#include "../include/records.h"

int main(void) {
    unsigned char at[3];
    char block[64] = "", text[8] = "abcdefg";
    take(at, sizeof at);
    if (at[0] > 60 || at[1] > 60 || at[2] > 60)
        return 1;
    memcpy(block + at[0], text, sizeof text); //~ stack-buffer-overflow
    char *end = mempcpy(block + at[1], text, sizeof text); //~ stack-buffer-overflow
    strncpy(block + at[2], text, sizeof text); //~ string-overflow
    return block[17] + end[-1];
}

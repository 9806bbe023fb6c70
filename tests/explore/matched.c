// Compares with a word byte by byte: stops at each of its letters, or comes to its end.
// input: stdin "\x00\x00\x00\x00\x00"
// paths: 6
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[5];
    if (!get(b, 5)) return 1;
    const char *word = "magic";
    int i = 0;
    while (i < 5 && b[i] == (unsigned char)word[i]) i++;
    if (i == 5) mark();
    return 0;
}

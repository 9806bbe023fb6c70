// Records in records: there is more in the inner one only if the lengths of both say so.
// input: stdin "\x30\x05\x04\x03abc"
// witness: stdin "\x30\x16\x04\x14aaaaaaaaaaaaaaaaaaaa"
#include "../include/records.h"
#include <stdio.h>

static int show(const unsigned char *at, size_t left) {
    while (left >= 2) {
        unsigned kind = at[0], length = at[1];
        at += 2;
        left -= 2;
        if (length > left)
            return -1;
        if (kind == 0x30) {
            if (show(at, length) < 0)
                return -1;
        } else if (kind == 4 && length <= 20) {
            char text[20];
            for (unsigned i = 0; i < length; i++)
                text[i] = (char)at[i];
            text[length] = 0; //~ array-index | stack-buffer-overflow
            puts(text);
        }
        at += length;
        left -= length;
    }
    return 0;
}

int main(void) {
    unsigned char bytes[256];
    return show(bytes, fread(bytes, 1, sizeof bytes, stdin)) < 0;
}

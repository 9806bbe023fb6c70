// A record with a checksum: there is more in it only if its length says so and the sum is right.
// input: stdin "\x00\x03abc\x01\xc6\x56\x03"
// witness: stdin "\x00\x1babcabcabcabcabcabcabcabcabc\x52n\x4a\x9b"
#include "../include/records.h"
#include <stdio.h>

static uint32_t sum(const unsigned char *bytes, size_t count) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < count; i++) {
        a = a * 31 + bytes[i];
        b += a;
    }
    return b;
}

int main(void) {
    unsigned char bytes[300];
    char text[16];
    size_t count = fread(bytes, 1, sizeof bytes, stdin);
    if (count < 6)
        return 1;
    size_t length = be16(bytes);
    if (length > count - 6)
        return 1;
    if (sum(bytes, length + 2) != be32(bytes + 2 + length))
        return 1;
    for (size_t i = 0; i < length; i++)
        text[i] = (char)bytes[2 + i]; //~ array-index | stack-buffer-overflow
    printf("%.*s\n", (int)length, text);
    return 0;
}

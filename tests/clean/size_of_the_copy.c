// A block as large as what is copied into it, and a few bytes: both depend on the input, and so does where it is copied from.
// input: stdin "\x02\x03\x04ABCDEFGHIJKL"
#include "../include/records.h"

int main(void) {
    unsigned char bytes[15];
    take(bytes, sizeof bytes);
    size_t start = bytes[0], length = bytes[1] + 2;
    if (start > 6 || length > 8)
        return 1;
    char *copy = malloc(length + 3);
    if (copy == NULL)
        return 1;
    copy[0] = (char)length;
    memcpy(copy + 1, bytes + start, length);
    KEEP(copy[1]);
    free(copy);
    return 0;
}

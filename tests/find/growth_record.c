// The length in a record is compared with what is left of the input, and not with the buffer: only a longer input has that much.
// input: stdin "\x02hi"
// witness: stdin "\x11hihihihihihihihih"
#include "../include/records.h"

int main(void) {
    unsigned char bytes[64];
    char name[16];
    size_t got = fread(bytes, 1, sizeof bytes, stdin);
    if (got < 1 || bytes[0] > got - 1)
        return 1;
    memcpy(name, bytes + 1, bytes[0]); //~ stack-buffer-overflow | string-overflow
    KEEP(name[0]);
    return 0;
}

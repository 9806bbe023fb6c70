// Null itself is read, for nothing.
// input: stdin "\x01"
// witness: stdin "\x09"
#include "../include/records.h"

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    if (byte == 9) {
        int value = *(int *)0; //~ null-deref
        (void)value;
    }
    return 0;
}

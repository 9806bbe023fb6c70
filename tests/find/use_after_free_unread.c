// A block that is read when it was freed, for nothing.
// input: stdin "\x01"
// witness: stdin "\x09"
#include "../include/records.h"
#include <stdlib.h>

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    int *number = malloc(sizeof *number);
    if (!number)
        return 1;
    *number = 1;
    free(number);
    if (byte == 9) {
        int value = *number; //~ use-after-free
        (void)value;
    }
    return 0;
}

// Offsets are relative to the third entry of a table, and only their upper bound is looked at.
// input: stdin "\x09"
// witness: stdin "\x01"
#include "../include/records.h"

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    int *gains = calloc(16, sizeof *gains);
    if (gains == NULL)
        return 1;
    int at = byte - 2;
    if (at < 16)
        KEEP(gains[at]); //~ buffer-underflow
    free(gains);
    return 0;
}

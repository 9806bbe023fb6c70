// A record of fixed length is read into an array on the stack that is as long as the input says.
// input: stdin "\x14abcdefgh"
// witness: stdin "\x04abcdefgh"
#include "../../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    if (length == 0)
        return 1;
    unsigned char record[length];
    if (read(0, record, 8) != 8) //~ stack-buffer-overflow | string-overflow
        return 1;
    KEEP(record[0]);
    return 0;
}

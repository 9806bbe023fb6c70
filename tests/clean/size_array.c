// An array on the stack is as long as the input says, and long enough for the record that is read into it.
// input: stdin "\x14abcdefgh"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char length;
    take(&length, sizeof length);
    if (length < 8)
        return 1;
    unsigned char record[length];
    if (read(0, record, 8) != 8)
        return 1;
    KEEP(record[0]);
    return 0;
}

// Positions are stored as differences that may be negative.
// input: stdin "\x10\x00\x00\x00\xfe\xff\xff\xff"
// witness: stdin "\x00\x00\x00\x80\xfe\xff\xff\xff"
#include "../include/records.h"

int main(void) {
    int position, delta;
    take(&position, sizeof position);
    take(&delta, sizeof delta);
    if (delta >= 0)
        return 1;
    position += delta; //~ integer-underflow
    KEEP(position);
    return 0;
}

// A difference that stops at the smallest number.
// input: stdin "\x10\x00\x00\x00\xfe\xff\xff\xff"
//~ verified
#include "../include/records.h"

int main(void) {
    int position, delta;
    take(&position, sizeof position);
    take(&delta, sizeof delta);
    if (delta >= 0)
        return 1;
    position = position < INT32_MIN - delta ? INT32_MIN : position + delta;
    KEEP(position);
    return 0;
}

// A negative number stays negative in a wider type.
// input: stdin "\x85\xff"
//~ verified
#include "../include/records.h"

int main(void) {
    int16_t delta;
    take(&delta, sizeof delta);
    int64_t position = 100000;
    position += delta;
    KEEP(position);
    return 0;
}

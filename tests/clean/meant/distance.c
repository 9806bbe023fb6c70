// How far a character lies above the first of a row is unsigned: below it, it is as far as can be.
// input: stdin "d"
#include "../../include/records.h"

int main(void) {
    static const char values[26] = {1, 2, 3};
    unsigned char letter;
    take(&letter, sizeof letter);
    unsigned distance = letter - (unsigned)'a';
    if (distance >= sizeof values)
        return 1;
    KEEP(values[distance]);
    return 0;
}

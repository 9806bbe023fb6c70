// An unknown unit has a default.
// input: stdin "B7"
//~ verified
#include "../include/records.h"

__attribute__((nonnull)) static int weight(const int *unit, int count) { return *unit * count; }

static const int *unit_of(char letter) {
    static const int byte = 1, word = 2;
    return letter == 'B' ? &word : &byte;
}

int main(void) {
    char field[2];
    take(field, sizeof field);
    KEEP(weight(unit_of(field[0]), field[1]));
    return 0;
}

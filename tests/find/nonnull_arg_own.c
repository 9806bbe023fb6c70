// A function says that it takes no null pointers; its caller has one.
// input: stdin "B7"
// witness: stdin "C7"
#include "../include/records.h"

__attribute__((nonnull)) static int weight(const int *unit, int count) {
    return *unit * count; //~? null-deref
}

static const int *unit_of(char letter) {
    static const int byte = 1, word = 2;
    if (letter == 'b')
        return &byte;
    if (letter == 'B')
        return &word;
    return NULL;
}

int main(void) {
    char field[2];
    take(field, sizeof field);
    int total = weight(unit_of(field[0]), field[1]); //~ nonnull-arg
    KEEP(total);
    return 0;
}

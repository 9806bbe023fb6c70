// A field ends with a semicolon. It always did.
// input: stdin "abcdefg;"
// witness: stdin "abcdefg:"
#include "../include/records.h"

static const char *skip_field(const char *p) {
    while (*p != ';') //~ stack-buffer-overflow
        p++;
    return p + 1;
}

int main(void) {
    char field[8];
    take(field, sizeof field);
    KEEP(skip_field(field) - field);
    return 0;
}

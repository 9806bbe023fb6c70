// A hand-written copy that leaves room for the end of the string.
// input: stdin "command\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    char line[8], verb[6];
    size_t at = 0;
    take(line, 8);
    while (at < sizeof verb - 1 && line[at] != '\0') {
        verb[at] = line[at];
        at++;
    }
    verb[at] = '\0';
    KEEP(verb[0]);
    return 0;
}

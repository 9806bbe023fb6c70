// A number of one digit that is not too large, and may have a sign: no other digit is one.
// input: stdin "5\n"
// witness: stdin "-5\n"
#include "../include/records.h"

static char marks[10];

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    long place = strtol(line, NULL, 10);
    if (place >= 10)
        return 1;
    marks[place] = 'x'; //~ array-index | buffer-underflow | global-buffer-overflow
    KEEP(marks[0]);
    return 0;
}

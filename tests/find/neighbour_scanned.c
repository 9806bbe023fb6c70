// Commands that a format reads: another word is one decision away, though it shares no letter with the one that was given.
// input: stdin "show 12 a\n"
// witness: stdin "mark 99 a\n"
#include "../include/records.h"

static char marks[64];

int main(void) {
    char line[16], name;
    int at;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (sscanf(line, "mark %d %c", &at, &name) == 2 && at >= 0)
        marks[at] = name; //~ array-index | global-buffer-overflow
    else if (sscanf(line, "show %d", &at) == 1)
        KEEP(at >= 0 && at < 64 ? marks[at] : 0);
    return 0;
}

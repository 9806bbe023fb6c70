// The run's command comes before the one with the mistake: no other way at one branch leads there, but the next decision in the row does.
// input: stdin "show 12\n"
// witness: stdin "mark 99\n"
#include "../include/records.h"

static char marks[64];

int main(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *number = strchr(line, ' ');
    if (!number)
        return 1;
    *number++ = '\0';
    int at = atoi(number);
    if (at < 0)
        return 1;
    if (strcmp(line, "show") == 0)
        KEEP(at < 64 ? marks[at] : 0);
    else if (strcmp(line, "mark") == 0)
        marks[at] = 'x'; //~ array-index | global-buffer-overflow
    return 0;
}

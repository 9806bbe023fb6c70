// The command that comes to the end of the row has four letters, and the one with the mistake three: it fits where another one stands.
// input: stdin "get 2\nquit\n"
// witness: stdin "set 9\nquit\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

static int values[4];

int main(void) {
    char line[16], name[8];
    int slot;
    while (fgets(line, sizeof line, stdin)) {
        slot = 0;
        if (sscanf(line, "%7s %d", name, &slot) < 1 || slot < 0)
            continue;
        if (strcmp(name, "get") == 0)
            printf("%d\n", slot < 4 ? values[slot] : 0);
        else if (strcmp(name, "set") == 0)
            values[slot] = 1; //~ array-index | global-buffer-overflow
        else if (strcmp(name, "quit") == 0)
            break;
    }
    return 0;
}

// A command that nobody gave, and behind it the one whose place it would take.
// input: stdin "put 0\nget 0\nquit 0\n"
// witness: stdin "put 0\ndel 0\nget 0\nquit 0\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16], name[8], *files[4] = {0};
    int slot, sizes[4] = {0};
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%7s %d", name, &slot) != 2 || slot < 0 || slot > 3)
            continue;
        if (strcmp(name, "put") == 0) {
            free(files[slot]); //~ double-free
            files[slot] = malloc(4);
            if (!files[slot])
                return 1;
            memcpy(files[slot], "abc", 4);
            sizes[slot] = 3;
        } else if (strcmp(name, "get") == 0) {
            if (sizes[slot] > 0)
                printf("%c\n", files[slot][0]); //~ use-after-free
        } else if (strcmp(name, "del") == 0) {
            free(files[slot]); //~ double-free
        } else {
            break;
        }
    }
    return 0;
}

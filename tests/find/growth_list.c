// A list of values, each of which goes its own way: there may be more of them than there is room for.
// input: stdin "sizes=1,5,9\n"
// witness: stdin "sizes=1,5,5,5,5,5,5,5,9\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[200];
    long sizes[8];
    int count = 0;
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "sizes=", 6) != 0)
        return 1;
    for (char *word = strtok(line + 6, ", \n"); word; word = strtok(NULL, ", \n")) {
        char *end;
        long size = strtol(word, &end, 10);
        if (*end)
            return 1;
        if (size < 5)
            puts("small");
        else if (size < 8)
            puts("middle");
        else
            puts("large");
        sizes[count++] = size; //~ array-index | stack-buffer-overflow
    }
    printf("%d, the last is %ld\n", count, count > 0 ? sizes[count - 1] : 0);
    return 0;
}

// A mark in front of a line is skipped, and the line is freed from its start.
// input: stdin "text"
//~ verified
#include "../include/records.h"

int main(void) {
    char *line = malloc(5);
    if (line == NULL)
        return 1;
    take(line, 4);
    line[4] = '\0';
    const char *text = *line == '#' ? line + 1 : line;
    KEEP(*text);
    free(line);
    return 0;
}

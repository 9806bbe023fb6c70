// A mark in front of a line is skipped, and then the line is freed from there.
// input: stdin "text"
// witness: stdin "#ext"
#include "../include/records.h"

int main(void) {
    char *line = malloc(5);
    if (line == NULL)
        return 1;
    take(line, 4);
    line[4] = '\0';
    if (*line == '#')
        line++;
    KEEP(*line);
    free(line); //~ invalid-free
    return 0;
}

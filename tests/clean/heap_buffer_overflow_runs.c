// Runs are cut off at the end of the line.
// input: stdin "\x05a\x03b"
//~ verified
#include "../include/records.h"

#define LINE 8

int main(void) {
    unsigned char coded[4];
    take(coded, sizeof coded);
    unsigned char *line = malloc(LINE);
    if (line == NULL)
        return 1;
    size_t at = 0;
    for (int run = 0; run < 4; run += 2)
        for (int i = 0; i < coded[run] && at < LINE; i++)
            line[at++] = coded[run + 1];
    KEEP(at);
    free(line);
    return 0;
}

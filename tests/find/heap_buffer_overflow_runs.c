// A run-length decoder that trusts the runs to fill the line exactly.
// input: stdin "\x05a\x03b"
// witness: stdin "\x05a\x04b"
#include "../include/records.h"

#define LINE 8

int main(void) {
    unsigned char coded[4];
    take(coded, sizeof coded);
    char *line = malloc(LINE);
    if (line == NULL)
        return 1;
    size_t at = 0;
    for (int run = 0; run < 4; run += 2)
        for (int i = 0; i < coded[run]; i++)
            line[at++] = (char)coded[run + 1]; //~ heap-buffer-overflow
    KEEP(at);
    free(line);
    return 0;
}

// A pointer right behind an array, where the next array begins, is followed back into the one that it is of.
// input: stdin "\x00"
// witness: stdin "\x01"
#include "../../include/records.h"
#include <stdlib.h>

static int first[4], second[4];
static int *slots[4];

static void fill(int *to, int from) {
    for (int i = 0; i < 4; i++)
        to[i] = from + i;
}

int main(int argc, char **argv) {
    (void)argv;
    unsigned char at;
    take(&at, sizeof at);
    fill(first, argc + 3);
    fill(second, argc + 8);
    for (int i = 0; i < 4; i++)
        slots[i] = first + 2;
    slots[at & 3] = first + 4;
    if (slots[1][-1] == argc + 6)
        abort(); //~ assertion
    return second[0];
}

// An index that leaves one of two arrays comes to the other one, where a pointer may be, too.
// input: stdin "\x00\x00"
// witness: stdin "\x01\x05"
#include "../../include/records.h"

static int first[4], second[8];
static int *slots[4];

static void fill(int *to, int count, int from) {
    for (int i = 0; i < count; i++)
        to[i] = from + i;
}

int main(int argc, char **argv) {
    (void)argv;
    unsigned char given[2];
    take(given, sizeof given);
    fill(first, 4, argc + 3);
    fill(second, 8, argc + 8);
    for (int i = 0; i < 4; i++)
        slots[i] = second;
    slots[given[0] & 3] = first;
    return slots[1][given[1] & 7] == 77; //~ global-buffer-overflow
}

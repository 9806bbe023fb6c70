// A number below zero does not fit an unsigned integer.
// input: stdin "\x00\x00\x00\x00\x00\x00\x24\x40"
// witness: stdin "\x00\x00\x00\x00\x00\x00\x24\xc0"
#include "../include/records.h"

int main(void) {
    double level;
    take(&level, sizeof level);
    if (level > 100)
        return 1;
    KEEP((unsigned)level); //~ float-cast
    return 0;
}

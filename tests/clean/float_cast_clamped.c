// A number is brought into the range of the integer first, and what is no number is turned away.
// input: stdin "\x00\x00\x40\x3f"
#include "../include/records.h"

int main(void) {
    float level;
    take(&level, sizeof level);
    if (level != level)
        return 1;
    if (level > 1000)
        level = 1000;
    if (level < -1000)
        level = -1000;
    KEEP((int)level);
    return 0;
}

// The number without an opposite is turned away before its opposite is needed.
// input: stdin "\x05\x00\x00\x00"
//~ verified
#include "../include/records.h"

int main(void) {
    int height;
    take(&height, sizeof height);
    if (height == INT32_MIN)
        return 1;
    int rows = height < 0 ? -height : height;
    KEEP(rows);
    return 0;
}

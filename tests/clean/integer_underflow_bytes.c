// Differences of bytes, and products of those, are far from the ends of an int.
// input: stdin "\x01\xff\x80\x7f"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char corners[4];
    take(corners, sizeof corners);
    int width = corners[0] - corners[1], height = corners[2] - corners[3];
    KEEP(width * height * -32);
    return 0;
}

// Width and height of an image are plausible one by one, and too large together.
// input: stdin "BM\x40\x01\x00\x00\xf0\x00\x00\x00"
// witness: stdin "BM\x00\x00\x01\x00\x00\x00\x01\x00"
#include "../include/records.h"

int main(void) {
    unsigned char head[10];
    take(head, sizeof head);
    if (head[0] != 'B' || head[1] != 'M')
        return 1;
    int width = (int)le32(head + 2), height = (int)le32(head + 6);
    if (width <= 0 || height <= 0 || width > 100000 || height > 100000)
        return 1;
    int pixels = width * height; //~ integer-overflow
    KEEP(pixels);
    return 0;
}

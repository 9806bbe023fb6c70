// A pixel is made brighter, beyond white.
// input: stdin "\x40\x20"
// checks: default,truncation
// witness: stdin "\xf0\x20"
#include "../include/records.h"

int main(void) {
    unsigned char pixel, bias;
    take(&pixel, sizeof pixel);
    take(&bias, sizeof bias);
    pixel = pixel + bias; //~ truncation
    KEEP(pixel);
    return 0;
}

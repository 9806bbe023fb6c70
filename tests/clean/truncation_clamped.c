// A pixel is made brighter, up to white.
// input: stdin "\x40\x20"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char pixel, bias;
    take(&pixel, sizeof pixel);
    take(&bias, sizeof bias);
    int sum = pixel + bias;
    pixel = sum > 255 ? 255 : (unsigned char)sum;
    KEEP(pixel);
    return 0;
}

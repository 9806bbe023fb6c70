// The last index that is let through is one too many for a block whose size is a product.
// input: stdin "\x04\x05\x03"
// witness: stdin "\x04\x05\x14"
#include "../include/records.h"

int main(void) {
    unsigned char header[3];
    take(header, sizeof header);
    size_t cells = (size_t)header[0] * header[1];
    unsigned char *image = malloc(cells);
    if (image == NULL || header[2] > cells)
        return 1;
    image[header[2]] = 1; //~ heap-buffer-overflow
    free(image);
    return 0;
}

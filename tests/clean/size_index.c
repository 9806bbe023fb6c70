// An index is compared with a size that is a product.
// input: stdin "\x04\x05\x03"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char header[3];
    take(header, sizeof header);
    size_t cells = (size_t)(header[0] & 15) * (header[1] & 15);
    unsigned char *image = calloc(cells, 1);
    if (image == NULL || header[2] >= cells)
        return 1;
    image[header[2]] = 1;
    KEEP(image[cells - 1]);
    free(image);
    return 0;
}

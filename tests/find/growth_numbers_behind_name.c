// The size of a picture: neither side is too large by itself, and the digit in the name of the format stays as it is.
// input: stdin "P2\n3 2\n9\n"
// witness: stdin "P2\n65536 65536\n9\n"
#include "../include/records.h"

static unsigned number(void) {
    unsigned value = 0;
    int byte;
    while ((byte = getchar()) >= '0' && byte <= '9' && value < 10000000)
        value = value * 10 + (unsigned)(byte - '0');
    return value;
}

int main(void) {
    if (getchar() != 'P' || getchar() != '2' || getchar() != '\n')
        return 1;
    unsigned width = number(), height = number(), largest = number();
    if (!width || !height || width > 100000 || height > 100000 || largest != 9)
        return 1;
    unsigned char *picture = malloc(width * height); //~ integer-overflow
    if (!picture)
        return 1;
    picture[width - 1] = (unsigned char)largest; //~ heap-buffer-overflow
    KEEP(picture[0]);
    free(picture);
    return 0;
}

// A time stamp is rescaled; zero is excluded, the one quotient that does not fit is not.
// input: stdin "\x00\x00\x10\x00\xff\xff\xff\xf0"
// witness: stdin "\x80\x00\x00\x00\xff\xff\xff\xff"
#include "../include/records.h"

int main(void) {
    unsigned char header[8];
    take(header, sizeof header);
    int stamp = (int)be32(header), divisor = (int)be32(header + 4);
    if (divisor == 0)
        return 1;
    int rescaled = stamp / divisor; //~ div-by-zero | integer-overflow
    KEEP(rescaled);
    return 0;
}

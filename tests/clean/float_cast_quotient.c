// A share of two bytes is never above 100 percent.
// input: stdin "\x03\x08"
#include "../include/records.h"

int main(void) {
    unsigned char part, whole;
    take(&part, sizeof part);
    take(&whole, sizeof whole);
    if (whole == 0 || part > whole)
        return 1;
    unsigned char percent = (unsigned char)(100.0 * part / whole);
    KEEP(percent);
    return 0;
}

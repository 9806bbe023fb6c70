// Nobody needs the result of the division, so the program goes on after it, to what only such inputs violate.
// input: stdin "\x01\x01"
// witness: stdin "\x04\x01"
#include "../include/records.h"

static unsigned share(unsigned parts) {
    return 100 / parts; //~ div-by-zero
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char parts, ignored;
    take(&parts, sizeof parts);
    take(&ignored, sizeof ignored);
    unsigned each = share(parts & 3);
    if (count > 1)
        return (int)each;
    assert((parts & 7) != 4); //~ assertion
    return 0;
}

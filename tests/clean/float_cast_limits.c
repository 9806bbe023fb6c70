// The limits of an int are tested as a double, which has room for one more on both sides.
// input: stdin "\x00\x00\x00\x00\x00\x00\x24\x40"
#include "../include/records.h"

int main(void) {
    double number;
    take(&number, sizeof number);
    if (!(number > -2147483649.0 && number < 2147483648.0))
        return 1;
    KEEP((int)number);
    return 0;
}

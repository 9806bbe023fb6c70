// Below, above or at zero.
// input: stdin "\x00"
// paths: 3
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char byte;
    if (!get(&byte, 1)) return 1;
    signed char x = (signed char)byte;
    if (x < 0) mark();
    else if (x > 0) puts("above");
    else puts("zero");
    return 0;
}

// One byte against three bounds, one after the other.
// input: stdin "\x00"
// paths: 4
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    if (x < 10) mark();
    else if (x < 20) puts("second");
    else if (x < 30) puts("third");
    else puts("above");
    return 0;
}

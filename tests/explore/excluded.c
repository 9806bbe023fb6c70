// The second decision about the same byte is open only in the middle: 1 + 2 + 1.
// input: stdin "\x00"
// paths: 4
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    if (x < 10) mark();
    else if (x < 20) puts("middle");
    else puts("high");
    if (x < 15) mark();
    return 0;
}

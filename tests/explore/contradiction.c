// No byte is above 5 and below 3.
// input: stdin "\x00"
// paths: 2
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    if (x > 5) {
        mark();
        if (x < 3) puts("never");
    }
    return 0;
}

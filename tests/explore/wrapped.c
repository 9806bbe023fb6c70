// A sum that starts again at zero.
// input: stdin "\x00"
// paths: 2
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    if ((unsigned char)(x + 200) < 100) mark();
    return 0;
}

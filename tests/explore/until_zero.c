// A loop that ends with the first zero byte, or after four.
// input: stdin "\x00\x00\x00\x00"
// paths: 5
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    for (int i = 0; i < 4 && b[i]; i++) mark();
    return 0;
}

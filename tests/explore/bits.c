// Four bits, each looked at by itself.
// input: stdin "\x00"
// paths: 16
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    for (int i = 0; i < 4; i++) {
        if (x >> i & 1) mark();
    }
    return 0;
}

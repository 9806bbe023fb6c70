// Goes one call deeper for every parenthesis.
// input: stdin "\x00\x00\x00\x00"
// paths: 5
//~ verified
#include "bytes.h"

__attribute__((noinline)) static int depth(const unsigned char *at, int left) {
    if (left == 0 || *at != '(') return 0;
    mark();
    return 1 + depth(at + 1, left - 1);
}

int main(void) {
    unsigned char b[4];
    if (!get(b, 4)) return 1;
    printf("%d\n", depth(b, 4));
    return 0;
}

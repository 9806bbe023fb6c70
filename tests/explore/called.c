// A call through a table of functions: each run has another target.
// input: stdin "\x00"
// paths: 5
//~ verified
#include "bytes.h"

static int first(int x, char *out) {
    out[x & 31] = 1;
    return 0;
}

static int second(int x, char *out) {
    if (x == 9)
        return 7;
    out[x & 15] = 1;
    return 2;
}

static int third(int x, char *out) {
    out[x & 7] = 1;
    return 3;
}

static int (*const functions[])(int, char *) = {first, second, third};

int main(void) {
    char out[32] = {0};
    unsigned char c;
    if (!get(&c, 1))
        return 1;
    if ((c & 7) > 2)
        return 1;
    return functions[c & 7](c >> 3, out);
}

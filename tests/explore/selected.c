// A switch with four cases and a default.
// input: stdin "\x00"
// paths: 5
//~ verified
#include "bytes.h"

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    switch (x) {
    case 'a': puts("a"); break;
    case 'f': mark(); break;
    case 'q': puts("q"); mark(); break;
    case 200: puts("high"); break;
    default: puts("other"); break;
    }
    return 0;
}

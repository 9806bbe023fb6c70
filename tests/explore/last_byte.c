// The last slash of a string of at most three bytes: for every length, each of its bytes may be it, or none.
// input: stdin "abc"
// paths: 10
//~ verified
#include "bytes.h"
#include <string.h>

int main(void) {
    char b[4] = "";
    if (!get((unsigned char *)b, 3)) return 1;
    char *last = strrchr(b, '/');
    if (last == b + 1) mark();
    return 0;
}

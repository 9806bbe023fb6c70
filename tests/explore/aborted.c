// What fails stands on another line than the branch that leads there, which optimisation moves to where the number is chosen.
// input: stdin "55"
// paths: 3
//~ verified
#include <stdlib.h>
#include "bytes.h"

static int number(const unsigned char *b) {
    switch (b[0]) {
    case 'a': return 1;
    case 'b': return b[1] == 9 ? 77 : 3;
    default: return 0;
    }
}

int main(void) {
    unsigned char b[2];
    if (!get(b, 2)) return 1;
    if (number(b) == 77)
        abort(); //~ assertion
    return 0;
}

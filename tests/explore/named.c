// What the program itself declares to be input, twice under one name: the second time only on some paths.
// paths: 4
//~ verified
#include <provoke.h>
#include "bytes.h"

int main(void) {
    unsigned short x = 0, y = 0;
    provoke_make_symbolic(&x, sizeof x, "number");
    if (x != 1234) return 0;
    mark();
    provoke_make_symbolic(&y, sizeof y, "number");
    if (y < 5) return 0;
    mark();
    if (y == x + 1) puts("successor");
    return 0;
}

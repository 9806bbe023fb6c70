// A byte goes through a pipe, and what comes out of it has no label: some runs leave the path that is expected of them.
// input: stdin "\x00\x00"
// diverges: the first decision depends on both bytes and is known to depend on the second
#include <unistd.h>
#include "bytes.h"

int main(void) {
    unsigned char b[2], copy = 0;
    int ends[2];
    if (!get(b, 2) || pipe(ends)) return 1;
    if (write(ends[1], b, 1) != 1 || read(ends[0], &copy, 1) != 1) return 1;
    if (b[1] == copy) mark();
    if (b[0] == 7) puts("seven");
    return 0;
}

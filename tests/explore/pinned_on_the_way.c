// How many sizes are pinned before a decision depends on it: inputs that decide otherwise there are where they were expected.
// input: stdin "\x00\x00\x00\x00"
// paths: 4
#include <fcntl.h>
#include <unistd.h>
#include "bytes.h"

int main(void) {
    unsigned char b[4], copy = 0;
    static char sink[256];
    int ends[2], nothing = open("/dev/null", O_RDONLY);
    if (!get(b, 4) || pipe(ends) || nothing < 0) return 1;
    if (write(ends[1], b, 1) != 1 || read(ends[0], &copy, 1) != 1) return 1;
    // The copy has no label, so the loop makes pins and no decisions.
    for (int i = 0; i < copy && i < 2; i++)
        if (read(nothing, sink, b[1 + i]) < 0) return 1;
    if (b[0] == 2) puts("two");
    if (b[3] == 7) puts("seven");
    return 0;
}

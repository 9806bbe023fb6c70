// A global with a bound that another global holds, and writes that do not look at it.
// input: stdin "\x05\x01"
// witness: stdin "\x20\x01"
#include <provoke.h>

#include "../include/records.h"

int limit = 32;
static PROVOKE_REFINE("0 <= level && level < limit") int level;
static _Thread_local PROVOKE_REFINE("depth != 77") int depth;

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    level = head[0]; //~ refinement
    level -= head[1]; //~ refinement
    depth = head[0]; //~ refinement
    KEEP(level + depth);
    return 0;
}

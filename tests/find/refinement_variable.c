// A level has a range that its declaration states and the code does not keep.
// input: stdin "\x03"
// witness: stdin "\x08"
#include <provoke.h>

#include "../include/records.h"

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    PROVOKE_REFINE("0 <= level && level < 8") int level = 0;
    level = byte; //~ refinement
    KEEP(level);
    return 0;
}

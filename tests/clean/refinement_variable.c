// A level is brought into the range that its declaration states.
// input: stdin "\x03"
//~ verified
#include <provoke.h>

#include "../include/records.h"

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    PROVOKE_REFINE("0 <= level && level < 8") int level = 0;
    level = byte & 7;
    KEEP(level);
    return 0;
}

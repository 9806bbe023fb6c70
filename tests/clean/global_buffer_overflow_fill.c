// A static table is filled to its last element.
// input: stdin "\x08"
//~ verified
#include "../include/records.h"

static unsigned table[8];

int main(void) {
    unsigned char count;
    take(&count, sizeof count);
    for (unsigned i = 0; i < count; i++) {
        if (i == sizeof table / sizeof table[0])
            break;
        table[i] = i;
    }
    KEEP(table[7]);
    return 0;
}

// Names are those of the innermost block, and a division is not looked at where the condition says that it must not be.
// input: stdin "\x04\x00"
//~ verified
#include <provoke.h>

#include "../include/records.h"

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    int limit = -1;
    {
        int limit = 256;
        int part = head[1];
        PROVOKE_REFINE("value < limit && (part == 0 || value / part >= 0)")
        int value = head[0];
        KEEP(value + part + limit);
    }
    KEEP(limit);
    return 0;
}

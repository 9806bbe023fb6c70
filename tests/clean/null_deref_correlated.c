// Two branches on the same flag: the pointer is set whenever it is used.
// input: stdin "\x05\x10"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[2];
    int length = 0, *section = NULL;
    take(head, sizeof head);
    if (head[0] & 1)
        section = &length;
    length = head[1];
    if ((head[0] & 3) == 1)
        KEEP(*section);
    return 0;
}

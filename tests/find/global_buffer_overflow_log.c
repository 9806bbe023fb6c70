// Entries of a log are copied into a static block, with a length of two bytes.
// input: stdin "\x00\x06"
// witness: stdin "\x00\x41"
#include "../include/records.h"

static char last_entry[64];
static const char journal[256] = "nothing yet";

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    unsigned length = be16(head);
    if (length > sizeof journal)
        return 1;
    memcpy(last_entry, journal, length); //~ global-buffer-overflow | string-overflow
    KEEP(last_entry[0]);
    return 0;
}

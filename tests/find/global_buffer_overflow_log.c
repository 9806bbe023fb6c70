// Entries of a log are copied into a static block, with a length of two bytes.
// input: stdin "\x00\x06"
// witness: stdin "\x00\x41"
// fixme: of two globals beside an address, the sanitizer may name the one behind it first
#include "../include/records.h"

static char last_entry[64];
static const char journal[256] = "nothing yet";

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    unsigned length = be16(head);
    if (length > sizeof journal)
        return 1;
    memcpy(last_entry, journal, length); //~ global-buffer-overflow | string-overflow //~? buffer-underflow
    KEEP(last_entry[0]);
    return 0;
}

// Text behind the cursor is copied to the end of a gap of eight bytes, which it may be longer than.
// input: stdin "\x06text to be edited"
// witness: stdin "\x0atext to be edited"
#include "../include/records.h"

#define GAP 8

int main(void) {
    unsigned char moved;
    char *text = malloc(32);
    if (text == NULL)
        return 1;
    take(&moved, sizeof moved);
    take(text, 17);
    if (moved <= 16)
        memcpy(text + GAP, text, moved); //~ overlap
    KEEP(text[0]);
    free(text);
    return 0;
}

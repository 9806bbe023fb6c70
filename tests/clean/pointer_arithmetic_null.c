// Nothing is added to a section that is not there.
// input: stdin "\x01\x08"
//~ verified
#include "../include/records.h"

static const char text[32] = "text";

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    const char *section = NULL;
    if (head[0] == 1)
        section = text;
    if (section != NULL && head[1] <= 32)
        section += head[1];
    KEEP(section != NULL);
    return 0;
}

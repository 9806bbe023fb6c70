// An offset is added to the start of a section that is not there.
// input: stdin "\x01\x08"
// checks: default,pointer-arithmetic
// witness: stdin "\x02\x08"
#include "../include/records.h"

static const char text[32] = "text";

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    const char *section = NULL;
    if (head[1] < 1 || head[1] > 31)
        return 1;
    if (head[0] == 1)
        section = text;
    const char *at = section + head[1]; //~ pointer-arithmetic
    KEEP(at != NULL);
    return 0;
}

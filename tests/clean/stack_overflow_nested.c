// Parentheses are nested as deep as the input is long.
// input: stdin "(a)b"
//~ verified
#include "../include/records.h"

static int nested(const char *text, int at) {
    if (at == 4)
        return 0;
    return (text[at] == '(') + nested(text, at + 1);
}

int main(void) {
    char text[4];
    take(text, sizeof text);
    KEEP(nested(text, 0));
    return 0;
}

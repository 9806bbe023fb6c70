// A byte is kept in a char, and made a byte again before it is an index: seen in jansson.
// input: stdin "a1"
#include "../../include/records.h"
#include <ctype.h>
#include <stdio.h>

int main(void) {
    static unsigned char classes[256] = {['a'] = 1, ['1'] = 2};
    char text[2] = {0};
    for (int i = 0; i < 2; i++) {
        int c = getchar();
        if (c == EOF)
            return 1;
        text[i] = c;
    }
    KEEP(isdigit((unsigned char)text[0]) + classes[(unsigned char)text[1]]);
    return 0;
}

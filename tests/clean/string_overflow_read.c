// As many bytes are read as were announced, and fit.
// input: stdin "\x08AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
//~ verified?
#include "../include/records.h"

int main(void) {
    unsigned char announced;
    char body[32] = {0};
    take(&announced, sizeof announced);
    if (announced > sizeof body)
        return 1;
    if (read(0, body, announced) < 0)
        return 1;
    KEEP(body[0]);
    return 0;
}

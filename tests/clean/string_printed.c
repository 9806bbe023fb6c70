// A name whose last byte always ends it, and one of which no more is written out than there is.
// input: stdin "abcdefgh"
//~ verified
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[8], other[8];
    take(name, sizeof name);
    memcpy(other, name, sizeof other);
    name[7] = 0;
    printf("%s %.8s %.*s\n", name, other, (int)sizeof other, other);
    return 0;
}

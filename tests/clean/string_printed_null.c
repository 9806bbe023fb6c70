// One of three names, the last of which is none: the C library writes that there is none.
// input: stdin "\x00"
//~ verified
#include "../include/records.h"
#include <stdio.h>

static const char *const names[] = {"one", "two", 0};

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    printf("name: %s\n", names[byte % 3]);
    return 0;
}

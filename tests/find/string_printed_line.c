// One of three names, the last of which is none, on a line of its own: compilers make another call of this, which takes no null.
// input: stdin "\x00"
// witness: stdin "\x02"
#include "../include/records.h"
#include <stdio.h>

static const char *const names[] = {"one", "two", 0};

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    printf("%s\n", names[byte % 3]); //~ null-deref
    return 0;
}

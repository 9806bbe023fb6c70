// A name that ends with a byte of the input, or nowhere: writing it to a descriptor reads on.
// input: stdin "\x00"
// witness: stdin "\x09"
#include "../include/records.h"
#include <stdio.h>

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    char name[4] = "abc";
    name[3] = byte == 9 ? 'x' : 0;
    dprintf(1, "name: %s\n", name); //~ stack-buffer-overflow
    return 0;
}

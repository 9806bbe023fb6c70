// Bytes that are pushed back into a stream without being the ones that were read, with the same values or with others.
// input: stdin "AB"
// paths: 4
//~ verified
#include "bytes.h"
#include <stdio.h>

int main(void) {
    int first = getc(stdin), second = getc(stdin);
    ungetc('B', stdin);
    int again = getc(stdin);
    if (again != 'B')
        return 3;
    if (first + second == 2 * 'B')
        mark();
    return 0;
}

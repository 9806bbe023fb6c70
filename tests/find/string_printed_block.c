// As many bytes as the input says, none of which need end them: what lies behind the block is zero by chance.
// input: stdin "\x03ab\x00"
// witness: stdin "\x03abc"
#include "../include/records.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char count;
    take(&count, sizeof count);
    if (count == 0)
        return 1;
    char *block = malloc(count);
    if (!block)
        return 1;
    for (int i = 0; i < count; i++)
        take(block + i, 1);
    puts(block); //~ heap-buffer-overflow
    free(block);
    return 0;
}

// A table of elements is read into a block that has as many bytes as the header says.
// input: stdin "\x28AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH"
// witness: stdin "\x10AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int size = getchar();
    if (size < 4)
        return 1;
    uint32_t *table = malloc((size_t)size);
    if (table == NULL)
        return 1;
    size_t got = fread(table, sizeof *table, 8, stdin); //~ string-overflow | heap-buffer-overflow
    int is_found = got > 0 && table[0] == 7;
    free(table);
    return is_found;
}

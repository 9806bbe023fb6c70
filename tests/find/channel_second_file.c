// Two files: what the second one says is an index into what the first one gives.
// input: file "0123456789"
// input: file "\x03\x01"
// args: @@1 @@2
// witness: file "\x20\x01"
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned char table[10], where[2];
    FILE *first = fopen(argv[1], "rb"), *second = fopen(argv[argc - 1], "rb");
    if (!first || !second || fread(table, 1, 10, first) != 10 || fread(where, 1, 2, second) != 2)
        return 1;
    if (where[1] != 1)
        return 2;
    printf("%c\n", table[where[0]]); //~ array-index | stack-buffer-overflow
    return 0;
}

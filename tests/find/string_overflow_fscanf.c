// A word of standard input is read into a block, however long it is.
// input: stdin "7 abc\n"
// witness: stdin "7 abcdefghijklmnop\n"
#include "../include/records.h"

int main(void) {
    int number;
    char *word = malloc(8);
    if (!word || fscanf(stdin, "%d %s", &number, word) != 2) //~ string-overflow | heap-buffer-overflow
        return 1;
    KEEP(word[0] ^ number);
    free(word);
    return 0;
}

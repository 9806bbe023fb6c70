// The width of a set of characters leaves no room for the end of the string.
// input: stdin "abc\n"
// witness: stdin "abcdefghijklmnop\n"
#include "../include/records.h"

int main(void) {
    static char word[8];
    if (fscanf(stdin, "%8[a-z]", word) != 1) //~ string-overflow | global-buffer-overflow
        return 1;
    KEEP(word[0]);
    return 0;
}

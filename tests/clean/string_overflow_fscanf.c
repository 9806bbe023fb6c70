// The width of a directive is larger than the array that it writes to, and what is left of the file is not that long.
// input: stdin "abc\n"
//~ verified?
#include "../include/records.h"

int main(void) {
    static char text[16];
    size_t got = fread(text, 1, 7, stdin);
    FILE *file = got ? fmemopen(text, got, "r") : NULL;
    char word[8];
    if (!file || fscanf(file, "%31s", word) != 1)
        return 1;
    KEEP(word[0]);
    return 0;
}

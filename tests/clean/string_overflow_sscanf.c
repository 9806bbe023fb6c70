// The widths of directives are larger than the arrays that they write to, and no word is that long: a sanitizer takes the one for the other.
// input: stdin "abc\n"
//~ verified?
#include "../include/records.h"

int main(void) {
    char line[64], word[8], letters[8], bytes[8];
    if (!fgets(line, sizeof line, stdin) || strlen(line) > 7)
        return 1;
    if (sscanf(line, "%31s", word) != 1 || sscanf(line, "%31[a-z]", letters) != 1 || sscanf(line, "%31c", bytes) != 1)
        return 1;
    KEEP(word[0] + letters[0] + bytes[0]);
    return 0;
}

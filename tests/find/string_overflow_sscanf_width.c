// The width of a directive is larger than the array that it writes to.
// input: stdin "abc\n"
// witness: stdin "abcdefghijklmnop\n"
#include "../include/records.h"

int main(void) {
    char line[64], word[8];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (sscanf(line, "%9s", word) != 1) //~ string-overflow | stack-buffer-overflow
        return 1;
    KEEP(word[0]);
    return 0;
}

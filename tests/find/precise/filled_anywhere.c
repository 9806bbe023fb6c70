// Which part of a line is blanked comes from the input.
// input: stdin "\x00\x02"
// witness: stdin "\x06\x03"
#include "../../include/records.h"

int main(void) {
    unsigned char input[2];
    char line[16] = "abcdefghijklmno";
    take(input, sizeof input);
    size_t from = input[0], length = input[1];
    if (from > 12 || length > 3)
        return 1;
    memset(line + from, ' ', length);
    assert(((line[6] == ' ') & (line[8] == ' ') & (line[5] != ' ')) == 0); //~ assertion
    return 0;
}

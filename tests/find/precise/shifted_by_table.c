// Codes of different lengths: how many bits one has is in a table, and the next one starts behind it.
// input: stdin "\x00\x00"
// witness: stdin "\x96\x00"
#include "../../include/records.h"

static const unsigned char bits_of[4] = {1, 2, 1, 3}, symbol_of[4] = {'a', 'b', 'a', 'c'};

int main(void) {
    unsigned char input[2];
    char symbols[4];
    take(input, sizeof input);
    unsigned stream = le16(input);
    for (int i = 0; i < 4; i++) {
        unsigned code = stream & 3;
        symbols[i] = symbol_of[code];
        stream >>= bits_of[code];
    }
    assert(symbols[0] != 'a' || symbols[3] != 'b'); //~ assertion
    return 0;
}

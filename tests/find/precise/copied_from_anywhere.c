// Where a word starts and how long it is comes from the input.
// input: stdin "\x00\x02"
// witness: stdin "\x11\x05"
#include "../../include/records.h"

static const char text[] = "what is written, Quickly read";

int main(void) {
    unsigned char input[2];
    char word[16] = {0};
    take(input, sizeof input);
    size_t from = input[0], length = input[1];
    if (from + length > sizeof text || length >= sizeof word)
        return 1;
    memcpy(word, text + from, length);
    assert(((word[0] == 'Q') & (word[4] == 'k')) == 0); //~ assertion
    return 0;
}

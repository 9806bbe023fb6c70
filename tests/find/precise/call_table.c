// Commands are functions in a table; one of them must not be called with nothing.
// input: stdin "\x00\x00"
// witness: stdin "\x02\x00"
#include "../../include/records.h"

static int first(unsigned n) { return (int)n + 1; }
static int second(unsigned n) { return (int)n * 2; }
static int third(unsigned n) {
    assert(n != 0); //~ assertion
    return (int)(100 / n);
}
static int (*const commands[])(unsigned) = {first, second, third, second};

int main(void) {
    unsigned char input[2];
    take(input, sizeof input);
    KEEP(commands[input[0] & 3](input[1]));
    return 0;
}

// Where pointers point to is no input: nothing is said behind a comparison of two of them, unless one came from the other.
// unit: copy
// unit args: unit
// unit test: "\x03\x01\x02"
// precondition: from == 0 || step != 0
// test verified: "\x02\x05\x03"
#include <unistd.h>

static int table[10];
static volatile int sink;

static void copy(unsigned char *to, const unsigned char *from, unsigned at, int step) {
    sink = 100 / step;
    for (const unsigned char *next = from; next < from + 2; next++) {
        sink = *next;
    }
    if (to != from) {
        sink = table[at];
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[3];
    if (read(0, in, 3) != 3) {
        return 2;
    }
    unsigned char other[3] = {0};
    if (count > 1) {
        copy(other, in, in[0], in[1]);
    } else {
        copy(in, in, in[0], in[1] | 1);
    }
    return 0;
}

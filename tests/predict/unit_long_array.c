// Elements that have no name are input too: a clause that depends on one cannot be written, and is left out.
// unit: pick
// unit args: unit
// unit test: "\x03\x01"
// precondition: 1
// test verified: "\x02\x05"
#include <unistd.h>

static int table[10];
static volatile int sink;

static void pick(const unsigned char *flags, unsigned at) {
    if (flags[70] == 1) {
        sink = table[at];
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    unsigned char flags[100];
    for (int i = 0; i < 100; i++) {
        flags[i] = count > 1;
    }
    pick(flags, in[0]);
    return 0;
}

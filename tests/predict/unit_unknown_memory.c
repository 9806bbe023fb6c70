// Of memory that nobody knows of, nothing is known: no clause says what has to hold where a unit was given such.
// unit: pick
// unit args: unit
// unit test: "\x03\x01"
// precondition: 1
// test verified: "\x02\x05"
#include <unistd.h>

static int table[10];
static volatile int sink;

static void pick(const char *mode, unsigned at) {
    if (mode[0] == 'u') {
        sink = table[at];
    }
}

int main(int count, char **arguments) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    pick(count > 1 ? arguments[1] : "other", in[0]);
    return 0;
}

// A unit that calls itself more often than can be kept apart.
// unit: down
// unit args: unit
// unit test: "\x03\x02"
// precondition: depth != 0 || at <= 9
// test verified: "\x05\x03"
#include <unistd.h>

static int table[10];
static volatile int sink;

static void down(int depth, unsigned at) {
    if (depth == 0) {
        sink = table[at];
        return;
    }
    down(depth - 1, at);
    sink = depth;
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        down(0, in[0] & 7);
        down(5000, 1);
    } else {
        down(0, in[0] & 7);
    }
    return 0;
}

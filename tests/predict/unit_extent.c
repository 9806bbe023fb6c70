// What happens to a unit's result behind the unit's end is no matter of the unit.
// unit: id
// unit args: unit
// unit test: "\x03\x00"
// precondition: 1
// test verified: "\x05\x00"
#include <unistd.h>

static int table[10];
static volatile int sink;

static int id(int x) {
    return x;
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        sink = table[id(in[0])];
    } else {
        sink = id(in[0]) + 1;
    }
    return 0;
}

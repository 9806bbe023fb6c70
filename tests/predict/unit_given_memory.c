// How much memory a unit is given is not among its inputs: a test's buffer says nothing about those of others.
// unit: get
// unit args: unit
// unit test: "\x03\x00"
// precondition: 1
// test verified: "\x05\x00"
#include <unistd.h>

static volatile int sink;

static int get(const int *from, unsigned i) {
    return from[i];
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        static int few[10];
        sink = get(few, in[0] & 7);
    } else {
        static int many[256];
        sink = get(many, in[0]);
    }
    return 0;
}

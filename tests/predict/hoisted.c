// A unit with signed parameters and a global: two tests of the unit add clauses, and two of these show a defect.
// unit: put
// unit args: unit
// unit test: "\x01\x02"
// unit test: "\x09\x06"
// precondition: (how > 50 || where < 0 || where <= limit) && (where >= 0 || how != 3) && (where >= 0 || how >= -2147483645)
// test predicted: "\x84\x3c"
#include <assert.h>
#include <unistd.h>

static int limit = 7;
static volatile int sink;

static void put(int where, int how) {
    if (how > 50) {
        return;
    }
    if (where >= 0) {
        assert(where <= limit); //~ assertion
    } else {
        sink = 100 / (how - 3); //~ div-by-zero
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        put(in[0] % 8, 1);
        put(-in[1], in[1]);
    } else {
        put(in[0] - 128, in[1]);
    }
    return 0;
}

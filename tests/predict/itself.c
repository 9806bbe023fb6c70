// A test that violates a check is not verified, whatever else holds on its path.
// test failing: "\x00\x03"
// test verified: "\x00\x07"
#include <unistd.h>

static volatile int sink;

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (in[1] == 3) {
        sink = 100 / (in[1] - 3); //~ div-by-zero
    }
    sink = in[0] + 1;
    return 0;
}

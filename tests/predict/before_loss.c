// What comes before the first approximation on the path is verified; the test as a whole is not.
// test open: "\x07\x0b"
// line verified: 14
#include <unistd.h>

static volatile int sink;

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (in[0] * in[1] == 77) {
        sink = 100 / in[0];
    }
    if (in[0] > 2) {
        sink += 1;
    }
    double root = (double)in[0] / 2.5;
    if (root > 1.0) {
        sink = 100 / in[1];
    }
    return 0;
}

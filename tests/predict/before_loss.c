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
    int other = in[0];
    __asm__("addl $1, %0" : "+r"(other));
    if (other > 1) {
        sink = 100 / in[1];
    }
    return 0;
}

// The check holds as far as the constraint says, but a value before it was taken as it was: nothing is verified.
// test open: "\x04\x0b"
#include <math.h>
#include <unistd.h>

static volatile int sink;

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    int other = in[0];
    __asm__("addl $1, %0" : "+r"(other));
    if (other > 1) {
        if (in[1] * in[1] == 121) {
            sink = 100 / in[1];
        }
    }
    return 0;
}

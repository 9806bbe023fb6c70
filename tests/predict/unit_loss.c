// Behind something that is not covered nothing is said; what comes before it is.
// unit: scale
// unit args: unit
// unit test: "\x03\x00"
// precondition: (by < 0 || by >= 0) && by != 7 && by >= -2147483641
// test verified: "\x05\x00"
#include <unistd.h>

static int table[10];
static volatile int sink;

static void scale(int by) {
    sink = 100 / (by - 7);
    int other = by;
    __asm__("addl $1, %0" : "+r"(other));
    if (other < 100) {
        sink = table[by & 15];
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        scale(in[0]);
    } else {
        scale(1);
    }
    return 0;
}

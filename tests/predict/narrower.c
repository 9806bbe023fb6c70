// The same condition stands in two checks, with a branch in between: that the first can be violated says nothing of the second.
// test predicted: "\x05"
// test predicted: "\x04"
#include <assert.h>
#include <unistd.h>

static volatile unsigned sink;

int main(void) {
    unsigned char bits;
    if (read(0, &bits, 1) != 1) {
        return 2;
    }
    sink = 1u << bits; //~ shift
    if (bits & 1) {
        assert(bits < 32); //~ assertion
    }
    return 0;
}

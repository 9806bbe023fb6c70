// An assertion holds for all that survive a division: that is no reason to call it verified. Behind a test it is one.
// test predicted: "\x01a"
// test predicted: "\x01b"
// test verified: "\x02c"
// line undecided: 21
// line verified: 28
#include <assert.h>
#include <unistd.h>

static volatile unsigned sink;

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    unsigned x = in[0];
    if (in[1] < 'c') {
        sink = 100 / (x & 3); //~ div-by-zero
        if (in[1] == 'b') {
            assert((x & 7) != 0);
        }
        return 0;
    }
    if ((x & 3) == 0) {
        return 0;
    }
    assert((x & 7) != 0);
    return 0;
}

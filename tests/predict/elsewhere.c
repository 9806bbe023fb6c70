// Every run fails at one place, which says nothing of another: that is violated only as far as is known.
// test failing: "\x01\x02"
// line undecided: 23
#include <assert.h>
#include <unistd.h>

static volatile int amount = 33, sink;

int main(void) {
    unsigned char in[2], copy;
    int ends[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    sink = 1 << amount; //~ shift
    /* What comes out of a pipe is not followed. */
    if (pipe(ends) || write(ends[1], in, 1) != 1 || read(ends[0], &copy, 1) != 1) {
        return 3;
    }
    int is_high = copy >= 0x80;
    int is_either = (in[0] < 0x80) | is_high;
    /* It always holds. */
    assert(is_either);
    return 0;
}

// longjmp past frames with labelled arguments and results: nothing stale is taken afterwards.
// input: stdin "\x05\x06"
#include <setjmp.h>

#include "observe.h"

static jmp_buf back;

__attribute__((noinline)) static int jumps(int labelled, int depth) {
    if (depth == 0)
        longjmp(back, 7);
    return jumps(labelled, depth - 1) + labelled;
}

__attribute__((noinline)) static int identity(int x) { return x; }

int main(void) {
    take_input();
    volatile int rounds = 0;
    int code = setjmp(back);
    OBSERVE(code == 7); //~ no event
    if (rounds++ == 0)
        return jumps(in[0], 5);
    OBSERVE(identity(3) == 3); //~ no event
    OBSERVE(identity(in[1]) == 6); //~ branch taken stdin[1]
    return 0;
}

// Recursion without end.
// input: stdin "abc"
// status: signal 11
// state: running
#include "observe.h"

__attribute__((noinline)) static int deeper(volatile int *above, int depth) {
    volatile int here[64];
    here[0] = depth;
    return deeper(here, depth + 1) + *above;
}

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    volatile int start = 0;
    return deeper(&start, in[1]);
}

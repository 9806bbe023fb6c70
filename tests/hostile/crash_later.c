// What was traced before a crash is kept.
// input: stdin "abc"
// status: signal 11
// state: running
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    *(volatile int *)8 = 1;
    OBSERVE(in[1] == 'b'); //~ no event
    return 0;
}

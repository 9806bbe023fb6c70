// abort() after a branch.
// input: stdin "abc"
// status: signal 6
// state: running
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    abort();
}

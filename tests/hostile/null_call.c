// Calls a null pointer with a labelled argument.
// input: stdin "abc"
// status: signal 11
// state: running
#include "observe.h"

static int (*volatile nothing)(int);

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    return nothing(in[1]);
}

// Never ends: the time limit ends it, and what was traced until then is kept.
// input: stdin "abc"
// limit: time 2
// status: timeout
// state: running
// revisions: O2
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    for (volatile unsigned i = 0;; i++)
        ;
}

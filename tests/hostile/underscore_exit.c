// _exit() runs no handlers, and ends the trace in order all the same.
// input: stdin "abc"
// status: exit 4
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    _exit(4);
}

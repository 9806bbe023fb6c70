// Killed without a chance to say anything.
// input: stdin "abc"
// status: signal 9
// state: running
#include <signal.h>

#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    kill(getpid(), SIGKILL);
    return 0;
}

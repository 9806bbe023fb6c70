// Calls exit from a signal handler, in the middle of labelled work.
// input: stdin "abc"
// status: exit 3
#include <signal.h>

#include "observe.h"

static void on_signal(int number) {
    (void)number;
    exit(3);
}

int main(void) {
    take_input();
    signal(SIGUSR1, on_signal);
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    raise(SIGUSR1);
    return 0;
}

// A signal handler between a labelled call and its callee: no label goes astray.
// input: stdin "\x05\x06"
#include <signal.h>

#include "observe.h"

static volatile sig_atomic_t caught;
static volatile unsigned char copy;

__attribute__((noinline)) static int helper(int a, int b) { return a * 2 + b; }

static void on_signal(int number) {
    caught = number;
    copy = (unsigned char)helper(1, 2);
}

__attribute__((noinline)) static int raising(int a) {
    raise(SIGUSR1);
    return a + 1;
}

int main(void) {
    take_input();
    signal(SIGUSR1, on_signal);
    OBSERVE(raising(in[0]) == 6); //~ branch taken stdin[0]
    OBSERVE(caught == SIGUSR1); //~ no event
    OBSERVE(copy == 4); //~ no event
    OBSERVE(helper(in[1], 1) == 13); //~ branch taken stdin[1]
    return 0;
}

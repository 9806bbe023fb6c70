// Results come back through calls that replace the caller's frame, and the frame is really replaced.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08"
#include "observe.h"

#define TAIL __attribute__((musttail)) return

__attribute__((noinline)) static int element(int at, int rest) { return in[at] + rest; }
__attribute__((noinline)) static int direct(int at, int rest) { TAIL element(at, rest + 1); }
__attribute__((noinline)) static int twice(int at, int rest) { TAIL direct(at, rest * 2); }

static int (*volatile chosen)(int, int) = direct;
__attribute__((noinline)) static int indirect(int at, int rest) { TAIL chosen(at, rest); }

/* The callee of the jump makes jumps of its own before it returns. */
__attribute__((noinline)) static int nested(int at, int rest) { return twice(at, rest) + in[at + 1]; }
__attribute__((noinline)) static int around(int at, int rest) { TAIL nested(at, rest); }

__attribute__((noinline)) static int count_down(int steps, int value);
__attribute__((noinline)) static int count_down_too(int steps, int value) {
    if (steps == 0)
        return value;
    TAIL count_down(steps - 1, value + 1);
}
__attribute__((noinline)) static int count_down(int steps, int value) {
    if (steps == 0)
        return value;
    TAIL count_down_too(steps - 1, value + 1);
}

__attribute__((noinline)) static int in_library(const void *left, const void *right, size_t size) {
    TAIL memcmp(left, right, size);
}

int main(void) {
    take_input();
    int zero = getpid() < 0;
    OBSERVE(direct(zero, 1) == 3); //~ branch taken stdin[0]
    OBSERVE(twice(1 + zero, 1) == 5); //~ branch taken stdin[1]
    OBSERVE(indirect(2 + zero, 1) == 5); //~ branch taken stdin[2]
    OBSERVE(around(3 + zero, 0) == 10); //~ branch taken stdin[3-4]
    OBSERVE(element(5 + zero, 0) == 6); //~ branch taken stdin[5]
    OBSERVE(count_down(1000000, in[6]) == 1000007); //~ branch taken stdin[6]
    OBSERVE(in_library(in + 7, "\x08", 1 + zero) == 0); //~ branch taken stdin[7]
    OBSERVE(direct(100, 0) == 1); //~ no event
    return 0;
}

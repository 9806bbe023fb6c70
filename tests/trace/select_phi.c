// Values that come together: conditional expressions, loops, short-circuit conditions.
// input: stdin "\x05\x09\x03"
#include "observe.h"

__attribute__((noinline)) static int larger(int a, int b) { return a > b ? a : b; } //~ branch not-taken stdin[0-1]

__attribute__((noinline)) static unsigned count_down(unsigned n) {
    unsigned steps = 0;
    while (n > 0) { //~ branch
        n--;
        steps += 2;
        __asm__ volatile("");
    }
    return steps;
}

__attribute__((noinline)) static int pick(int which, int a, int b, int c) {
    int value;
    if (which == 0)
        value = a;
    else if (which == 1)
        value = b + 1;
    else
        value = c + 2;
    return value;
}

int main(void) {
    take_input();
    OBSERVE(larger(in[0], in[1]) == 9); //~ branch taken stdin[1]
    OBSERVE(count_down(in[2]) == 6); //~ branch taken stdin[2]
    OBSERVE(pick(1, in[0], in[1], in[2]) < 11); //~ branch taken stdin[1]
    OBSERVE(pick(2, in[0], in[1], in[2]) < 7); //~ branch taken stdin[2]
    OBSERVE(pick(1, in[0], 7, in[2]) == 8); //~ no event
    return 0;
}

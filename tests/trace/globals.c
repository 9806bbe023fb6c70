// Labels in globals, static variables and thread-local variables.
// input: stdin "\x01\x02\x03\x04"
#include "observe.h"

static int global;
static _Thread_local int local;
static struct { int first; int *pointer; } nested;

__attribute__((noinline)) static int remember(int value) {
    static int last;
    int before = last;
    last = value;
    return before;
}

int main(void) {
    take_input();
    global = in[0];
    local = in[1];
    nested.pointer = &global;
    OBSERVE(*nested.pointer == 1); //~ branch taken stdin[0]
    OBSERVE(local == 2); //~ branch taken stdin[1]
    OBSERVE(remember(in[2]) == 0); //~ no event
    OBSERVE(remember(0) == 3); //~ branch taken stdin[2]
    OBSERVE(remember(0) == 0); //~ no event
    global = 4;
    OBSERVE(global == 4); //~ no event
    return 0;
}

// Computed goto: a small interpreter whose program is the input.
// input: stdin "\x00\x01\x01\x02\x07"
#include "observe.h"

__attribute__((noinline)) static int interpret(const unsigned char *code) { //~ bounds stdin[0] //~ bounds stdin[1] //~ bounds stdin[2] //~ bounds stdin[3] //~ read stdin[0] //~ read stdin[1] //~ read stdin[2] //~ read stdin[3] //~ switch stdin[0] //~ switch stdin[1] //~ switch stdin[2] //~ switch stdin[3] //~ target stdin[0] //~ target stdin[1] //~ target stdin[2] //~ target stdin[3]
    static const void *const targets[] = {&&increment, &&twice, &&stop};
    int value = 1;
    goto *targets[*code++];
increment:
    value++;
    goto *targets[*code++];
twice:
    value *= 2;
    goto *targets[*code++];
stop:
    return value + *code;
}

int main(void) {
    take_input();
    OBSERVE(interpret(in) == 15); //~ branch taken stdin[4]
    return 0;
}

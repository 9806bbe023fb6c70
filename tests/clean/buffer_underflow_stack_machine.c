// A machine with a stack that looks at its depth first.
// input: stdin "34+"
//~ verified
#include "../include/records.h"

int main(void) {
    char program[3];
    int stack[4] = {0}, depth = 0;
    take(program, sizeof program);
    for (int i = 0; i < 3; i++) {
        if (program[i] != '+') {
            stack[depth++] = program[i] & 15;
        } else if (depth >= 2) {
            depth--;
            stack[depth - 1] += stack[depth];
        }
    }
    KEEP(stack[0]);
    return 0;
}

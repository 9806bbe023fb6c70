// A machine with a stack adds what is on it; on an empty stack there is nothing to add.
// input: stdin "34+"
// witness: stdin "+4+"
#include "../include/records.h"

static int add(const int *top) {
    return top[-1] + top[-2]; //~ buffer-underflow
}

int main(void) {
    char program[3];
    int stack[4] = {0}, depth = 0;
    take(program, sizeof program);
    for (int i = 0; i < 3; i++) {
        if (program[i] == '+') {
            int sum = add(stack + depth);
            depth -= 2;
            stack[depth++] = sum;
        } else {
            stack[depth++] = program[i] & 15;
        }
    }
    KEEP(stack[0]);
    return 0;
}

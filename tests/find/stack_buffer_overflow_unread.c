// A slot of a structure is written that nobody reads again.
// input: stdin "\x03\x00\x00\x00\x07"
// witness: stdin "\x0a\x00\x00\x00\x07"
#include "../include/records.h"

struct stack {
    int top;
    long slots[10];
};

static void set(struct stack *stack, uint32_t at, long value) {
    stack->slots[at] = value; //~ stack-buffer-overflow | buffer-underflow
}

int main(void) {
    unsigned char record[5];
    struct stack stack = {0, {0}};
    take(record, sizeof record);
    set(&stack, le32(record), record[4]);
    return 0;
}

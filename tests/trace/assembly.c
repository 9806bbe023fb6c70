// Inline assembly gives a concrete result and says that precision was lost; what does not pass through it keeps its label.
// input: stdin "\x05\x06\x07"
#include "observe.h"

int main(void) {
    take_input();
    unsigned x = in[0], y = in[1];
    __asm__ volatile("addl $1, %0" : "+r"(x)); //~ pin assembly stdin[0]
    OBSERVE(x == 6); //~ no event
    OBSERVE(y == 6); //~ branch taken stdin[1]
    __asm__ volatile("" ::: "memory"); //~ no event
    unsigned stored = in[2];
    __asm__ volatile("movl $9, %0" : "=m"(stored));
    OBSERVE(stored == 9); //~ no event
    return 0;
}

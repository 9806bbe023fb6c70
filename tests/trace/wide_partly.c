// A wide value of which only some bytes have labels, overwritten right after it was loaded (found by csmith, seed 1026).
// input: stdin "A"
#include "observe.h"

static unsigned _BitInt(88) cell = 0x1234;

__attribute__((noinline)) static unsigned _BitInt(88) exchange(unsigned _BitInt(88) *at) {
    unsigned _BitInt(88) old = *at;
    memset(at, 0x55, 4);
    return old;
}

int main(void) {
    take_input();
    memcpy((char *)&cell + 5, in, 1);
    OBSERVE(exchange(&cell) == ((unsigned _BitInt(88))'A' << 40) + 0x1234); //~ branch taken stdin[0]
    return 0;
}

// alloca, variable-length arrays, frames that reuse memory: labels of dead variables do not come back.
// input: stdin "\x04\x05\x06\x07"
#include <alloca.h>

#include "observe.h"

__attribute__((noinline)) static int fill(void) {
    unsigned char local[32];
    for (int i = 0; i < 32; i++)
        local[i] = in[i % 4];
    return local[3] + local[31];
}

__attribute__((noinline)) static int fresh(int seed) {
    volatile unsigned char local[32];
    for (int i = 0; i < 32; i++)
        local[i] = (unsigned char)(seed + i);
    return local[7];
}

__attribute__((noinline)) static int variable_length(unsigned n) {
    unsigned char array[n];
    for (unsigned i = 0; i < n; i++)
        array[i] = in[1];
    array[0] = 1;
    return array[0] + array[n - 1];
}

int main(void) {
    take_input();
    OBSERVE(fill() == 14); //~ branch taken stdin[3]
    OBSERVE(fresh(1) == 8); //~ no event
    OBSERVE(variable_length(8) == 6); //~ branch taken stdin[1]
    unsigned char *dynamic = alloca(16);
    memcpy(dynamic, in, 4);
    OBSERVE(dynamic[2] == 6); //~ branch taken stdin[0-3]
    return 0;
}

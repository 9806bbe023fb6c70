// Overwrites its own stack, return address included.
// input: stdin "abc"
// cflags: -fno-stack-protector
// status: signal 11
// state: running
#include "observe.h"

__attribute__((noinline)) static void smash(volatile unsigned char *from) {
    for (int i = 0; i < 1024; i++)
        from[i] = 0x41;
}

__attribute__((noinline)) static void victim(void) {
    volatile unsigned char local[8];
    smash(local);
}

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    victim();
    return 0;
}

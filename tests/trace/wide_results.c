// A result of more scalars than labels travel for: the rest is pinned.
// input: stdin "a" * 64
#include "observe.h"

typedef unsigned char bytes __attribute__((vector_size(64)));

__attribute__((noinline)) static bytes changed(const unsigned char *from, unsigned char by) {
    bytes all;
    memcpy(&all, from, sizeof all);
    return all + by; //~ pin
}

int main(void) {
    take_input();
    bytes all = changed(in, 1);
    OBSERVE(all[3] == 'b'); //~ branch taken stdin[3]
    OBSERVE(all[31] == 'b'); //~ branch taken stdin[31]
    OBSERVE(all[40] == 'b'); //~ no event
    return 0;
}

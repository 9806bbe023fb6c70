// A patch writes a byte at an offset from the start of a record on the stack.
// input: stdin "\x03\x41"
// witness: stdin "\x18\x41"
#include "../include/records.h"

__attribute__((noinline)) static void poke(unsigned char *base, unsigned at, unsigned char what) {
    base[at] = what; //~ stack-smash | stack-buffer-overflow
}

__attribute__((noinline)) static int patch(unsigned at, unsigned char what) {
    unsigned char record[16] = {0};
    poke(record, at, what);
    return record[3];
}

int main(void) {
    unsigned char request[2];
    take(request, sizeof request);
    KEEP(patch(request[0], request[1]));
    return 0;
}

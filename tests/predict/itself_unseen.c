// A test fails itself if its index is wrong, be it so wrong that AddressSanitizer sees nothing of it, as it does of other inputs.
// test failing: "\xfa"
#include <unistd.h>

static volatile int sink;

__attribute__((noinline)) static void set(unsigned char index) {
    volatile int values[8] = {0};
    values[index] = 1; //~ array-index
    sink = values[0];
}

int main(void) {
    // What is hit in place of values.
    volatile char room[4096];
    unsigned char in[1];
    if (read(0, in, 1) != 1) {
        return 2;
    }
    room[0] = 0;
    set(in[0]);
    return room[0];
}

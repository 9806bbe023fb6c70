// Threads that a library starts, of which nobody has said anything before they come.
// cflags: -pthread
// input: stdin "\x05\x06\x07\x08"
// elsewhere: allowed
#include <thread>

#include "observe.h"

static unsigned sums[3];

/* Enough nodes for threads to meet. */
static void mix(int index) {
    unsigned sum = in[index];
    for (int i = 0; i < 3000; i++)
        sum = sum * 31 + (in[index] ^ i);
    sums[index] = sum;
}

int main() {
    take_input();
    std::thread first(mix, 0), second(mix, 1);
    mix(2);
    first.join();
    second.join();
    OBSERVE(sums[0] == 1); //~ branch not-taken stdin[0]
    OBSERVE(sums[1] == 1); //~ branch not-taken stdin[1]
    OBSERVE(sums[2] == 1); //~ branch not-taken stdin[2]
    return 0;
}

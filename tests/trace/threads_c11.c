// Threads of C11, at the same time as the first one. What one of them returns has no label for whoever joins it.
// cflags: -pthread
// input: stdin "\x05\x06\x07\x08"
#include <threads.h>

#include "observe.h"

static unsigned sums[3];

/* Enough nodes for threads to meet. */
static void mix(int index) {
    unsigned sum = in[index];
    for (int i = 0; i < 3000; i++)
        sum = sum * 31 + (in[index] ^ i);
    sums[index] = sum;
}

static int worker(void *argument) {
    int index = *(int *)argument;
    mix(index);
    return in[index] + 1;
}

int main(void) {
    take_input();
    thrd_t threads[2];
    int indices[2] = {0, 1}, result = 0;
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], worker, &indices[i]); //~ pin unmodelled-call 0x6 stdin[0] //~ pin unmodelled-call 0x7 stdin[1]
    mix(2);
    for (int i = 0; i < 2; i++) {
        thrd_join(threads[i], &result);
        OBSERVE(result == 6 + i); //~ no event
    }
    OBSERVE(sums[0] == 1); //~ branch not-taken stdin[0]
    OBSERVE(sums[1] == 1); //~ branch not-taken stdin[1]
    OBSERVE(sums[2] == 1); //~ branch not-taken stdin[2]
    return 0;
}

// Active checkers, Figure 2: the guard lets one index too many through, and all negative ones.
// input: stdin "\x07\x00\x00\x00"
// witness: stdin "\x14\x00\x00\x00"
#include "../include/records.h"

static int buffer_example(int x) {
    int buf[20];
    for (int i = 0; i < 20; i++)
        buf[i] = i;
    if (x > 20)
        return 0;
    else
        return buf[x]; //~ array-index | stack-buffer-overflow | buffer-underflow
}

int main(void) {
    int x;
    take(&x, sizeof x);
    KEEP(buffer_example(x));
    return 0;
}

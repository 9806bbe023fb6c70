// A hundred million rounds that depend on the input: the memory cap ends the trace, the program goes on to its end.
// input: stdin "abcdefgh"
// limit: trace 16777216
// limit: time 300
// state: cap-reached
// revisions: O2
#include "observe.h"

int main(void) {
    take_input();
    uint32_t state = TAKE(uint32_t, 0);
    unsigned hits = 0;
    for (int i = 0; i < 100000000; i++) {
        state = state * 1664525u + 1013904223u;
        if (state >> 28 == 7) { //~ branch taken stdin[0-3] //~ branch not-taken stdin[0-3]
            hits++;
            __asm__ volatile("");
        }
    }
    printf("%u\n", hits);
    return 0;
}

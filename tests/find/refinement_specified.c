// Conditions that a specification file states, on a parameter, a static variable, a result and a global.
// input: stdin "\x03\x02"
// witness: stdin "\xff\x02"
// spec: scale.by: 0 < by && by < 200
// spec: scale.largest: largest <= 50000
// spec: scale(): by == 0 || result / by < 250
// spec: total: total % 1000 != 999 || total < 1000
#include "../include/records.h"

static unsigned total;

__attribute__((noinline)) static int scale(int value,
                                           int by) { //~ refinement
    static int largest;
    int scaled = value * by;
    if (scaled > largest)
        largest = scaled; //~ refinement
    total = (unsigned)scaled; //~ refinement
    return scaled; //~ refinement
}

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    KEEP(scale(head[0], head[1]));
    return 0;
}

// Samples with a sign are written to a field without one.
// input: stdin "\x01\x00\x02\x00"
// checks: default,sign-extension
// witness: stdin "\x01\x00\x02\x80"
#include "../include/records.h"

struct frame {
    uint32_t left;
    uint32_t right;
};

int main(void) {
    int16_t samples[2];
    struct frame frame;
    take(samples, sizeof samples);
    if (samples[0] < 0)
        return 1;
    frame.left = samples[0];
    frame.right = samples[1]; //~ sign-extension
    KEEP(frame.left ^ frame.right);
    return 0;
}

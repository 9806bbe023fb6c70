// A sample is made louder by a factor, and becomes an integer again whatever came out.
// input: stdin "\x00\x01\x00\x00\x40\x3f"
// witness: stdin "\xff\x7f\xff\xff\x7f\x7f"
#include "../include/records.h"

int main(void) {
    int16_t sample;
    float gain;
    take(&sample, sizeof sample);
    take(&gain, sizeof gain);
    if (!(gain >= 0))
        return 1;
    int louder = (int)(sample * gain); //~ float-cast
    KEEP(louder);
    return 0;
}

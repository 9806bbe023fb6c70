// A number with a sign is looked at before it becomes one without.
// input: stdin "\x05\x00"
//~ verified
#include "../include/records.h"

static uint32_t twice(uint32_t number) { return number * 2; }

int main(void) {
    int16_t sample;
    take(&sample, sizeof sample);
    if (sample < 0)
        return 1;
    KEEP(twice((uint32_t)sample));
    return 0;
}

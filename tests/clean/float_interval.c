// There is no number in the interval, and nothing but numbers comes that far.
// input: stdin "\x00\x00\x40\x3f"
//~ verified?
#include "../include/records.h"

int main(void) {
    float speed;
    take(&speed, sizeof speed);
    int steps = 7;
    // The next number behind 1.5.
    if (speed > 1.5f && speed < 1.50000011920928955078125f)
        steps = 0;
    // Only what is no number differs from itself.
    if (speed == speed && !(speed <= 0.0f) && !(speed > 0.0f))
        steps = 0;
    KEEP(100 / steps);
    return 0;
}

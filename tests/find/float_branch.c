// A number in a binary file lies in a small interval, and what comes behind that divides by zero.
// input: stdin "\x00\x00\x40\x3f"
// witness: stdin "\x00\x00\xc8\x3f"
#include "../include/records.h"

static int steps(float speed) {
    if (speed > 1.5f && speed < 1.6f)
        return 0;
    return 7;
}

int main(void) {
    float speed;
    if (fread(&speed, sizeof speed, 1, stdin) != 1)
        return 1;
    KEEP(100 / steps(speed)); //~ div-by-zero
    return 0;
}

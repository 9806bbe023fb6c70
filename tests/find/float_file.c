// A scale out of a binary file becomes a percentage; one percentage is divided by nothing.
// input: stdin "\x00\x00\xa0\x3f"
// witness: stdin "\x9a\x99\xc9\x3f"
#include "../include/records.h"

int main(void) {
    float scale;
    take(&scale, sizeof scale);
    if (!(scale > 1.0f && scale < 2.0f))
        return 1;
    int percent = (int)(scale * 100.0f);
    KEEP(1000 / (percent - 157)); //~ div-by-zero
    return 0;
}

// The input is read before main: a fork server that waits there would give all runs the input of the first.
// input: stdin "\x07\x02"
// witness: stdin "\x07\x00"
#include "../include/records.h"

static unsigned char settings[2];

__attribute__((constructor)) static void read_settings(void) {
    take(settings, sizeof settings);
}

int main(void) {
    if (settings[0] > 100)
        return 1;
    return settings[0] / settings[1]; //~ div-by-zero
}

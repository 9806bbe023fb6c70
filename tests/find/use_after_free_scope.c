// A default value lives in a block that is left before it is used.
// input: stdin "\x01\x07"
// witness: stdin "\x00\x07"
#include "../include/records.h"

static int use(const int *level) { return *level; } //~ use-after-free

int main(void) {
    unsigned char setting[2];
    int given;
    const int *level = &given;
    take(setting, sizeof setting);
    given = setting[1];
    if (setting[0] == 0) {
        int standard = 3;
        level = &standard;
    }
    KEEP(use(level));
    return 0;
}

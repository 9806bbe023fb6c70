// The names of five states; a state has three bits.
// input: stdin "\x43"
// witness: stdin "\x47"
#include "../include/records.h"

int main(void) {
    static const char initials[5] = {'n', 'r', 's', 't', 'z'};
    unsigned char status;
    take(&status, sizeof status);
    if (!(status & 0x40))
        return 1;
    KEEP(initials[status & 7]); //~ array-index | global-buffer-overflow
    return 0;
}

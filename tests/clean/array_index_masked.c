// An index that is masked to the size of the array.
// input: stdin "\x43"
//~ verified
#include "../include/records.h"

int main(void) {
    static const char names[8] = {'n', 'r', 's', 't', 'z', 'x', 'y', '-'};
    unsigned char status;
    take(&status, sizeof status);
    KEEP(names[status & 7]);
    return 0;
}

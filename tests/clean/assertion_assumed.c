// What is assumed of the input, as programs for the competition on software verification write it: `abort` is no failure there.
// input: stdin "\x04"
//~ verified
#include "../include/records.h"
#include <stdlib.h>

void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    unsigned char n;
    take(&n, sizeof n);
    assume_abort_if_not(n > 2 && n <= 12);
    if (n * 21 > 255)
        abort();
    return 0;
}

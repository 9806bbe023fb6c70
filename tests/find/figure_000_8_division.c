// Active checkers, Figure 8: a division guarded by a comparison that does not exclude zero.
// input: stdin "\x02\x00\x00\x00"
// witness: stdin "\x00\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    int x1, x2 = 52, x3 = 0;
    take(&x1, sizeof x1);
    if (x1 > -5)
        x3 = x2 / x1; //~ div-by-zero
    KEEP(x3);
    return 0;
}

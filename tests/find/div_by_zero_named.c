// Inputs that the program names itself: a ratio of two of them.
// witness: denominator "\x00\x00\x00\x00"
#include <provoke.h>

#include "../include/records.h"

int main(void) {
    unsigned numerator = 100, denominator = 7;
    provoke_make_symbolic(&numerator, sizeof numerator, "numerator");
    provoke_make_symbolic(&denominator, sizeof denominator, "denominator");
    if (numerator < denominator)
        return 0;
    KEEP(numerator / denominator); //~ div-by-zero
    return 0;
}

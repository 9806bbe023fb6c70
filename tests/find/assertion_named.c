// Inputs that the program names itself: an invariant of a structure.
// witness: window "\x05\x00\x02\x00"
#include <provoke.h>

#include "../include/records.h"

struct window {
    uint16_t low;
    uint16_t high;
};

int main(void) {
    struct window window = {2, 5};
    provoke_make_symbolic(&window, sizeof window, "window");
    assert(window.low <= window.high); //~ assertion
    return 0;
}

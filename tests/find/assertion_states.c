// A state machine that asserts what no valid input breaks.
// input: stdin "osc"
// witness: stdin "ssc"
#include "../include/records.h"

enum state { CLOSED, OPEN };

int main(void) {
    char events[3];
    enum state state = CLOSED;
    take(events, sizeof events);
    for (int i = 0; i < 3; i++) {
        if (events[i] == 's')
            assert(state == OPEN); //~ assertion
        else if (events[i] == 'o')
            state = OPEN;
        else
            state = CLOSED;
    }
    KEEP(state);
    return 0;
}

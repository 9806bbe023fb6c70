// A state machine that refuses what it would assert.
// input: stdin "osc"
//~ verified
#include "../include/records.h"

enum state { CLOSED, OPEN };

int main(void) {
    char events[3];
    enum state state = CLOSED;
    take(events, sizeof events);
    for (int i = 0; i < 3; i++) {
        if (events[i] == 's' && state != OPEN)
            return 1;
        if (events[i] == 's')
            assert(state == OPEN);
        else
            state = events[i] == 'o' ? OPEN : CLOSED;
    }
    KEEP(state);
    return 0;
}

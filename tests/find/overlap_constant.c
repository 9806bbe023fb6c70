// Eight bytes are copied from one place of a buffer to another, and the input says which: optimisation makes a load and a store of it.
// input: stdin "\x00\x10"
// witness: stdin "\x00\x04"
#include "../include/records.h"

int main(void) {
    unsigned char places[2];
    take(places, sizeof places);
    char buffer[64] = "what is copied";
    if (places[0] > 56 || places[1] > 56)
        return 1;
    memcpy(buffer + places[0], buffer + places[1], 8); //~ overlap
    KEEP(buffer[0]);
    return 0;
}

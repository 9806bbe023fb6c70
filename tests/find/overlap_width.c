// Entries are copied within a buffer, and how long they are is no matter of the input, nor of the compiler.
// input: stdin "\x00\x10"
// witness: stdin "\x00\x04"
#include "../include/records.h"

static volatile size_t width = 8;

int main(void) {
    unsigned char places[2];
    take(places, sizeof places);
    char buffer[64] = "what is copied";
    if (places[0] > 56 || places[1] > 56)
        return 1;
    memcpy(buffer + places[0], buffer + places[1], width); //~ overlap
    KEEP(buffer[0]);
    return 0;
}

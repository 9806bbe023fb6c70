// A part of a structure is copied within it, once by its name and once by a pointer that a function was given.
// input: stdin "\x00\x10"
// witness: stdin "\x00\x04"
#include "../include/records.h"

struct line {
    char text[64];
    int length;
};

__attribute__((noinline)) static const char *start(const struct line *line) { return line->text; }

int main(void) {
    unsigned char places[2];
    take(places, sizeof places);
    struct line line = {"what is copied", 14};
    const char *from = start(&line);
    if (places[0] > 56 || places[1] > 56)
        return 1;
    memcpy(line.text + places[0], from + places[1], 8); //~ overlap
    KEEP(line.text[0]);
    return 0;
}

// Entries are copied to where others are, or they themselves; a structure is, too.
// input: stdin "\x01\x02"
//~ verified
#include "../include/records.h"

struct entry {
    uint32_t key;
    char name[12];
};

int main(void) {
    unsigned char places[2];
    take(places, sizeof places);
    char buffer[64] = "what is copied";
    struct entry entries[4] = {{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}};
    unsigned to = places[0] & 3, from = places[1] & 3;
    memcpy(buffer + to * 8, buffer + from * 8, 8);
    memcpy(buffer + to * 8, buffer + 32 + from * 8, 8);
    entries[to] = entries[from];
    KEEP(buffer[0]);
    KEEP(entries[0].key);
    return 0;
}

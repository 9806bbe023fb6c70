// An element is removed from an array by copying what follows it; that is right for the last but one only.
// input: stdin "\x02"
// witness: stdin "\x00"
#include "../include/records.h"

struct entry {
    uint32_t key;
    uint32_t value;
};

int main(void) {
    struct entry entries[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    unsigned char which;
    take(&which, sizeof which);
    if (which > 3)
        return 1;
    size_t after = 3u - which;
    memcpy(entries + which, entries + which + 1, after * sizeof entries[0]); //~ overlap
    KEEP(entries[0].key);
    return 0;
}

// A structure is copied out of a table at an index from the input, changed, and put back elsewhere.
// input: stdin "\x00\x01"
// witness: stdin "\x02\x03"
#include "../../include/records.h"

struct entry {
    uint64_t key;
    uint32_t value;
    unsigned char name[12];
};

static struct entry entries[4] = {{1, 10, "a"}, {2, 20, "b"}, {3, 30, "c"}, {4, 40, "d"}};

int main(void) {
    unsigned char input[2];
    take(input, sizeof input);
    unsigned from = input[0] & 3, to = input[1] & 3;
    struct entry copy = entries[from];
    copy.value++;
    entries[to] = copy;
    if (entries[3].key == 3 && entries[3].name[0] == 'c')
        assert(entries[3].value != 31); //~ assertion
    return 0;
}

// Writes to what a function has found under a key: which entry that is depends on the input.
// input: stdin "\x00\x00"
// paths: 2
//~ verified
#include "bytes.h"

struct entry {
    int key, count;
};

static struct entry entries[4] = {{3, 0}, {1, 0}, {0, 0}, {2, 0}};

__attribute__((noinline)) static struct entry *entry_of(unsigned char key) {
    return &entries[key % 4];
}

int main(void) {
    unsigned char in[2];
    if (!get(in, 2)) return 1;
    struct entry *entry = entry_of(in[0]);
    entry->count = in[1];
    if (entries[2].count == 77) mark();
    return 0;
}

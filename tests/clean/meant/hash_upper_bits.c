// The upper bits of a product are an index that is never too large.
// input: stdin "\x11\x22\x33\x44"
#include "../../include/records.h"

int main(void) {
    unsigned char counts[64] = {0};
    uint32_t key;
    take(&key, sizeof key);
    uint32_t slot = key * 2654435769u >> 26;
    counts[slot]++;
    KEEP(counts[slot]);
    return 0;
}

// Binary search for a byte among seven: each of them, and each of the eight gaps between.
// input: stdin "\x00"
// paths: 15
//~ verified
#include "bytes.h"

static const unsigned char table[7] = {10, 20, 30, 40, 50, 60, 70};

int main(void) {
    unsigned char x;
    if (!get(&x, 1)) return 1;
    int low = 0, high = 7;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] == x) {
            mark();
            return 0;
        }
        if (table[middle] < x) low = middle + 1;
        else high = middle;
    }
    return 0;
}

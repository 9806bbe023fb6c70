// The size of the next round's copy depends on input; that of this round does not, and its place does.
// input: stdin "\x01\x02\x01"
// witness: stdin "\x16\x02\x01"
#include <string.h>
#include <unistd.h>

int main(void) {
    unsigned char given[3];
    char block[64] = "0123";
    if (read(0, given, 3) != 3 || given[0] > 30 || given[2] > 2) {
        return 1;
    }
    size_t size = 8, to = given[0];
    for (volatile int round = 0; round < 2; round++) {
        memcpy(block + to, block + 24, size); //~ overlap
        size = given[2];
        to = 40;
    }
    return block[9];
}

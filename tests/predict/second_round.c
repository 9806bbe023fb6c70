// The test fails in the second round of a loop, of which its trace has nothing; the first round says nothing about it.
// test failing: "\x97"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    unsigned char in[1];
    if (read(0, in, 1) != 1 || in[0] == 0) {
        return 2;
    }
    unsigned rest = in[0];
    unsigned number = 1;
    for (unsigned round = 0; round < (number & 3); round++) {
        rest = number * 8 / rest; //~ div-by-zero
        number = 7;
    }
    printf("%u\n", rest);
    return 0;
}

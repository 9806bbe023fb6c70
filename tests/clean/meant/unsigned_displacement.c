// A signed displacement is added to an unsigned position, which is tested before it is used, at the start of the next round.
// input: stdin "aj\x02bbj\x01cq"
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t code[64];
    unsigned length = (unsigned)fread(code, 1, sizeof code, stdin), at = 0;
    for (int fuel = 0; fuel < 20; fuel++) {
        if (at >= length)
            return 1;
        uint8_t op = code[at++];
        if (op == 'q')
            return 0;
        if (op == 'j') {
            if (at >= length)
                return 1;
            int distance = (int8_t)code[at++];
            at = at + (unsigned)distance;
        }
    }
    return 2;
}

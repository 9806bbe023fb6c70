// What another instruction does with its operands is as careful as what the run does.
// input: stdin "\x01\x02\x07"
//~ verified
#include "../include/records.h"

static int registers[16];

int main(void) {
    unsigned char code[3];
    take(code, sizeof code);
    switch (code[0]) {
    case 1:
        registers[code[1] & 15] += code[2];
        break;
    case 2:
        if (code[1] >= 16)
            return 1;
        registers[code[1]] = code[2];
        break;
    case 3:
        registers[0] = code[2] / (code[1] | 1);
        break;
    default:
        return 1;
    }
    KEEP(registers[code[2] & 15]);
    return 0;
}

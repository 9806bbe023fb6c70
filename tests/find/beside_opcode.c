// The run adds; only another instruction stores, and that one believes the number of its register.
// input: stdin "\x01\x02\x07"
// witness: stdin "\x02\x11\x07"
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
        registers[code[1]] = code[2]; //~ array-index | global-buffer-overflow
        break;
    default:
        return 1;
    }
    KEEP(registers[code[2] & 15]);
    return 0;
}

// Block operations move labels, overlapping too, and setting memory clears them.
// input: stdin "abcdefghijklmnopqrstuvwxyz"
#define _GNU_SOURCE
#include "observe.h"

int main(void) {
    take_input();
    unsigned char block[64];
    memcpy(block, in, 26);
    OBSERVE(block[25] == 'z'); //~ branch taken stdin[25]
    memmove(block + 3, block, 20);
    OBSERVE(block[3] == 'a'); //~ branch taken stdin[0]
    OBSERVE(block[22] == 't'); //~ branch taken stdin[19]
    OBSERVE(block[2] == 'c'); //~ branch taken stdin[2]
    memmove(block, block + 5, 20);
    OBSERVE(block[1] == 'd'); //~ branch taken stdin[3]
    memset(block, 0, 10);
    OBSERVE(block[9] == 0); //~ no event
    memset(block + 20, in[4], 8);
    OBSERVE(block[27] == 'e'); //~ branch taken stdin[4]
    block[27] = 1;
    OBSERVE(block[27] == 1); //~ no event
    uint32_t word;
    memcpy(&word, in + 8, 3);
    memset((char *)&word + 3, 0, 1);
    OBSERVE(word == 0x6b6a69); //~ branch taken stdin[8-10]
    unsigned char *end = mempcpy(block, in + 12, 4);
    OBSERVE(end[-1] == 'p'); //~ branch taken stdin[12-15]
    return 0;
}

// Addresses that depend on the input are events of their own.
// input: stdin "\x02\x03\x04"
#include "observe.h"

static int table[8] = {1, 3, 5, 7, 9, 11, 13, 15};

int main(int argc, char **argv) {
    (void)argv;
    take_input();
    table[0] = argc;
    int value = table[in[0] & 7]; //~ read stdin[0]
    OBSERVE(value == 5); //~ branch taken stdin[0]
    unsigned char local[16] = {0};
    local[in[1]] = 7; //~ bounds stdin[1] //~ write stdin[1]
    OBSERVE(local[3] == 7); //~ branch taken stdin[1]
    unsigned char labelled[16];
    memcpy(labelled, in, 16);
    OBSERVE(labelled[in[0]] == 4); //~ bounds stdin[0] //~ branch taken stdin[0-2] //~ read stdin[0]
    return 0;
}

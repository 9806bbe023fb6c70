// Two arrays that are never in use at the same time, so that they could have the same place, and a place in the larger one.
// input: stdin "\x00\x05"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char bytes[2];
    take(bytes, sizeof bytes);
    if (bytes[0] & 1) {
        int few[10];
        for (int i = 0; i < 10; i++)
            few[i] = i * 3;
        KEEP((intptr_t)few);
        KEEP(few[bytes[1] % 10]);
    } else {
        int many[256];
        for (int i = 0; i < 256; i++)
            many[i] = i;
        KEEP((intptr_t)many);
        KEEP(many[bytes[1]]);
    }
    return 0;
}

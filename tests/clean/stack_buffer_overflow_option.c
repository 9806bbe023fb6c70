// The length of an option is bounded by the smaller of two sizes.
// input: stdin "\x02\x04\xc0\xa8\x00\x01____________"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char option[18], address[16] = {0};
    take(option, sizeof option);
    size_t length = option[1];
    if (length > sizeof address)
        length = sizeof address;
    memcpy(address, option + 2, length);
    KEEP(address[0]);
    return 0;
}

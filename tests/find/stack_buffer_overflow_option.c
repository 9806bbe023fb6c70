// An option of a packet is copied into a variable on the stack; its length is bounded by the wrong constant.
// input: stdin "\x02\x04\xc0\xa8\x00\x01________________________"
// witness: stdin "\x02\x14\xc0\xa8\x00\x01________________________"
#include "../include/records.h"

#define LARGEST_OPTION 24
#define ADDRESS 16

int main(void) {
    unsigned char option[30], address[ADDRESS] = {0};
    take(option, sizeof option);
    unsigned length = option[1];
    if (option[0] != 2 || length > LARGEST_OPTION)
        return 1;
    memcpy(address, option + 2, length); //~ stack-buffer-overflow | string-overflow
    KEEP(address[0]);
    return 0;
}

// Truncation and extension, signed and unsigned, and pointers as integers.
// input: stdin "\xff\xfe\x80\x01\x02\x03\x04\x05"
#include <stdbool.h>

#include "observe.h"

int main(void) {
    take_input();
    OBSERVE((int)(int8_t)in[0] == -1); //~ branch taken stdin[0]
    OBSERVE((unsigned)in[0] == 255u + (in[1] - 254u)); //~ branch taken stdin[0-1]
    OBSERVE((int64_t)(int16_t)TAKE(uint16_t, 1) < -100); //~ branch taken stdin[1-2]
    OBSERVE((uint64_t)TAKE(uint32_t, 3) == 0x04030201u); //~ branch taken stdin[3-6]
    OBSERVE((uint8_t)TAKE(uint32_t, 2) == 0x80); //~ branch taken
    OBSERVE((bool)(in[7] ^ 5)); //~ branch stdin[7]
    uintptr_t address = (uintptr_t)in[6] << 4;
    OBSERVE((void *)address == (void *)0x40); //~ branch taken stdin[6]
    return 0;
}

// A branch that depends on a hash made of rotates: every byte of the input reaches it.
// input: stdin "provoke!"
#include "observe.h"

__attribute__((noinline)) static uint32_t hash(const unsigned char *bytes, size_t len) {
    uint32_t h = 0x9747b28c;
    for (size_t i = 0; i < len; i++) {
        h ^= bytes[i] * 0xcc9e2d51u;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
    }
    return h ^ h >> 16;
}

int main(void) {
    take_input();
    OBSERVE(hash(in, 8) == 0x12345678); //~ branch not-taken stdin[0-7]
    return 0;
}

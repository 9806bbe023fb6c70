// Vector extensions: lanes, shuffles, comparisons, conversions, stores through memory.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
#include "observe.h"

typedef uint32_t v4 __attribute__((vector_size(16)));
typedef uint8_t v16 __attribute__((vector_size(16)));
typedef uint64_t v2 __attribute__((vector_size(16)));

__attribute__((noinline)) static v4 doubled(v4 v) { return v + v; }

int main(void) {
    take_input();
    v4 words = TAKE(v4, 0);
    v16 bytes = TAKE(v16, 0);
    OBSERVE(words[1] == 0x08070605); //~ branch taken stdin[4-7]
    OBSERVE(doubled(words)[2] == 2 * 0x0c0b0a09u); //~ branch taken stdin[8-11]
    OBSERVE((bytes * bytes)[3] == 16); //~ branch taken stdin[3]
    v4 shuffled = __builtin_shufflevector(words, words, 3, 2, 1, 0);
    OBSERVE(shuffled[0] - 1 == 0x100f0e0c); //~ branch taken stdin[12-15]
    v4 mask = words > (v4){0x08000000, 0x08000000, 0x08000000, 0x08000000};
    OBSERVE(mask[1] == ~0u); //~ branch taken stdin[4-7]
    words[0] = 7;
    OBSERVE(words[0] == 7); //~ no event
    v2 wide = (v2)words;
    OBSERVE(wide[1] != 3); //~ branch not-taken stdin[4-15]
    unsigned sum = __builtin_reduce_add(words);
    OBSERVE(sum != 99); //~ branch stdin[4-15]
    v16 blend = (v16)(bytes > 8) & bytes;
    OBSERVE(blend[9] == 10); //~ branch taken stdin[9]
    return 0;
}

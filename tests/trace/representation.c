// Values that have no labels: where labelled memory or a labelled value goes into one, this is said.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x80\xff\x3f\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20"
// cflags: -msse3
#include <immintrin.h>

#include "observe.h"

typedef _Bool bits __attribute__((ext_vector_type(8)));

static long double number;
__attribute__((noinline)) static int is_large(void) { return number > 3.0L; } //~ loss float
__attribute__((noinline)) static int seventh(bits *from) {
    bits all = *from; //~ loss representation
    return all[0] + 2 * all[6];
}
__attribute__((noinline)) static long double choose(int condition, const long double *a, const long double *b) {
    return condition ? *a : *b; //~ branch //~[O2] no event
}
__attribute__((noinline)) static __m128i unaligned(const void *from) {
    return _mm_lddqu_si128(from); //~ loss instruction
}

int main(void) {
    take_input();
    memcpy(&number, in, 16);
    OBSERVE(is_large()); //~ no event
    OBSERVE(seventh((bits *)(in + 16)) == 1); //~ no event
    const long double one = 1, two = 2;
    OBSERVE(choose(in[20] == 0x15, &one, &two) == 1); //~ no event
    __m128i wide = unaligned(in + 16);
    OBSERVE(_mm_cvtsi128_si32(wide) == 0x14131211); //~ no event
    unsigned char clean[16] = {9};
    OBSERVE(_mm_cvtsi128_si32(unaligned(clean)) == 9); //~ no event
    return 0;
}

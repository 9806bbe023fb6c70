// Minimum, maximum, absolute value, saturation.
// input: stdin "\x05\xf0\xfe\xff\xff\xff\x03\x00\x00\x00\x00\x00\x00\x80\xff\xff\xff\x7f"
#include "observe.h"

int main(void) {
    take_input();
    int a = in[0], b = in[1];
    uint32_t c = TAKE(uint32_t, 2), d = TAKE(uint32_t, 6);
    int32_t e = TAKE(int32_t, 10), f = TAKE(int32_t, 14);
    OBSERVE(__builtin_elementwise_min(a, b) == 5); //~ branch taken stdin[0-1]
    OBSERVE(__builtin_elementwise_max(a, b) == 0xf0); //~ branch taken stdin[0-1]
    OBSERVE(__builtin_elementwise_max(e, f) > 1000); //~ branch stdin[10-17]
    OBSERVE(__builtin_elementwise_add_sat(c, d) == ~0u); //~ branch taken stdin[2-9]
    OBSERVE(__builtin_elementwise_sub_sat(d, c) == 0); //~ branch not-taken stdin[2-9]
    OBSERVE(__builtin_elementwise_add_sat(e, e) == INT32_MIN); //~ branch taken stdin[10-13]
    OBSERVE(__builtin_elementwise_sub_sat(f, e) == INT32_MAX); //~ branch taken stdin[10-17]
    OBSERVE(__builtin_elementwise_abs(e + 1) == INT32_MAX); //~ branch taken stdin[10-13]
    OBSERVE(abs((int)in[1] - 250) == 10); //~ branch taken stdin[1]
    return 0;
}

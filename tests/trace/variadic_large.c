// A structure that is passed in memory among variadic arguments.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20"
#include <stdarg.h>

#include "observe.h"

struct large { uint8_t bytes[32]; };

__attribute__((noinline)) static int last_byte(int skip, ...) {
    va_list list;
    va_start(list, skip);
    struct large large = va_arg(list, struct large);
    int after = va_arg(list, int);
    va_end(list);
    return large.bytes[31] + after;
}

int main(void) {
    take_input();
    OBSERVE(last_byte(0, TAKE(struct large, 0), in[1]) == 34); //~ branch taken stdin[1,31]
    return 0;
}

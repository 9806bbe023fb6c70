// va_arg: integers, doubles, structures, more than fit the registers, a list handed on.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20"
#include <stdarg.h>

#include "observe.h"

struct pair { uint64_t first, second; };

__attribute__((noinline)) static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

__attribute__((noinline)) static uint64_t mixed(int skip, ...) {
    va_list list;
    va_start(list, skip);
    double d = va_arg(list, double);
    uint64_t wide = va_arg(list, uint64_t);
    struct pair pair = va_arg(list, struct pair);
    va_end(list);
    printf("%.1f ", d);
    return wide + pair.second;
}

__attribute__((noinline)) static int second_of(va_list list) {
    (void)va_arg(list, int);
    return va_arg(list, int);
}

__attribute__((noinline)) static int handed_on(int first, ...) {
    va_list list, copy;
    va_start(list, first);
    va_copy(copy, list);
    int result = second_of(list) * 2 + va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return result;
}

int main(void) {
    take_input();
    OBSERVE(sum(2, in[0], in[1]) == 3); //~ branch taken stdin[0-1]
    OBSERVE(sum(9, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]) == 45); //~ branch taken stdin[0-8]
    OBSERVE(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, in[9]) == 46); //~ branch taken stdin[9]
    OBSERVE(sum(3, 1, 2, 3) == 6); //~ no event
    struct pair pair = {TAKE(uint64_t, 0), TAKE(uint64_t, 8)};
    OBSERVE(mixed(0, 1.5, TAKE(uint64_t, 16), pair) != 3); //~ branch stdin[8-23]
    OBSERVE(handed_on(0, in[3], in[4]) == 14); //~ branch taken stdin[3-4]
    return 0;
}

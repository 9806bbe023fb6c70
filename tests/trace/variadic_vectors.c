// Structures of floats travel as vectors, aligned structures leave gaps; what is too far behind is lost and this is said.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30"
#include <stdarg.h>

#include "observe.h"

struct floats { float first, second; };
struct aligned { __int128 wide; int number; long last; };
struct large { uint8_t bytes[600]; };

__attribute__((noinline)) static int second_float(int count, ...) {
    va_list list;
    va_start(list, count);
    struct floats floats = {0, 0};
    for (int i = 0; i < count; i++)
        floats = va_arg(list, struct floats);
    va_end(list);
    int bits;
    memcpy(&bits, &floats.second, sizeof bits);
    return bits;
}

__attribute__((noinline)) static long last_of_aligned(int a, int b, int c, int d, int e, int f, int g, ...) {
    va_list list;
    va_start(list, g);
    int number = va_arg(list, int);
    struct aligned aligned = va_arg(list, struct aligned);
    va_end(list);
    return aligned.last + number + (a ^ b ^ c ^ d ^ e ^ f ^ g);
}

__attribute__((noinline)) static int behind_large(int a, int b, int c, int d, int e, int f, ...) {
    va_list list;
    va_start(list, f);
    struct large large = va_arg(list, struct large);
    int after = va_arg(list, int);
    va_end(list);
    return large.bytes[599] + after + (a ^ b ^ c ^ d ^ e ^ f);
}

int main(void) {
    take_input();
    struct floats floats = TAKE(struct floats, 0);
    OBSERVE(second_float(1, floats) == 0x08070605); //~ branch taken stdin[4-7]
    struct floats none = {0, 0};
    OBSERVE(second_float(9, none, none, none, none, none, none, none, none, TAKE(struct floats, 8)) == 0x100f0e0d); //~ branch taken stdin[12-15]
    struct aligned aligned = {0, 0, TAKE(long, 16)};
    OBSERVE(last_of_aligned(0, 0, 0, 0, 0, 0, 0, in[24], aligned) == 0x181716151413122a); //~ branch taken stdin[16-24]
    OBSERVE(last_of_aligned(0, 0, 0, 0, 0, 0, 0, in[24], aligned) != 1); //~ branch stdin[16-24]
    struct large large = {{0}};
    OBSERVE(behind_large(0, 0, 0, 0, 0, 0, large, 3) == 3); //~ no event
    large.bytes[599] = in[25];
    OBSERVE(behind_large(0, 0, 0, 0, 0, 0, large, in[26]) == 0x35); //~ loss representation //~ pin representation stdin[26]
    return 0;
}

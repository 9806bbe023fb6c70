// Indirect calls, recursion, many arguments, results that are not used.
// input: stdin "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a"
#include "observe.h"

__attribute__((noinline)) static int add(int a, int b) { return a + b; }
__attribute__((noinline)) static int multiply(int a, int b) { return a * b; }
static int (*volatile operation)(int, int) = add;
static int (*const table[2])(int, int) = {add, multiply};

__attribute__((noinline)) static int fibonacci(int n, int x) { return n < 2 ? x : fibonacci(n - 1, x) + fibonacci(n - 2, x); }

__attribute__((noinline)) static int ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    return a - b + c - d + e - f + g - h + i - j;
}

__attribute__((noinline)) static int constant(int a) {
    if (a == 77)
        abort();
    return 3;
}

int main(void) {
    take_input();
    OBSERVE(operation(in[0], in[1]) == 3); //~ branch taken stdin[0-1]
    operation = multiply;
    OBSERVE(operation(in[2], 5) == 15); //~ branch taken stdin[2]
    OBSERVE(operation(2, 5) == 10); //~ no event
    OBSERVE(fibonacci(10, in[3]) == 89 * 4); //~ branch taken stdin[3]
    OBSERVE(ten(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]) == -5); //~ branch taken stdin[0-9]
    OBSERVE(constant(0) == 3); //~ no event
    OBSERVE(table[in[0]](in[4], 2) == 10); //~ bounds stdin[0] //~ branch taken stdin[4] //~ read stdin[0] //~ switch stdin[0] //~ target stdin[0]
    int (*computed)(int, int) = (int (*)(int, int))((uintptr_t)add ^ in[9] ^ 10);
    OBSERVE(computed(in[5], 2) == 8); //~ pin call-target stdin[9] //~ branch taken stdin[5]
    return 0;
}

// Assembly reads memory: through an operand, through a pointer. What it only writes is not lost.
// input: stdin "\x05\x06\x07\x08\x09\x0a\x0b\x0c"
#include "observe.h"

int main(void) {
    take_input();
    int value, first = in[0], other = in[1], third = in[2];
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(first)); //~ loss assembly
    OBSERVE(value == 5); //~ no event
    __asm__ volatile("addl $1, %0" : "+m"(other)); //~ loss assembly
    OBSERVE(other == 7); //~ no event
    __asm__ volatile("movl $7, %0" : "=m"(third)); //~ no event
    const unsigned char *pointer = in + 3;
    __asm__ volatile("movzbl (%1), %0" : "=r"(value) : "r"(pointer) : "memory"); //~ loss assembly
    OBSERVE(value == 8); //~ no event
    unsigned char plain[4] = {1, 2, 3, 4};
    __asm__ volatile("movzbl (%1), %0" : "=r"(value) : "r"(plain) : "memory"); //~ no event
    OBSERVE(value == 1); //~ no event
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(1L), "D"(-1L), "S"((long)in), "d"(4L) : "rcx", "r11", "memory"); //~ loss assembly
    OBSERVE(result < 0); //~ no event
    __asm__ volatile("" : : "r"(pointer) : "memory"); //~ no event
    return 0;
}

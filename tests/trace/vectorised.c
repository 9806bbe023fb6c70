// Loops that -O2 turns into vector code keep their labels.
// input: stdin "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"
#include "observe.h"

__attribute__((noinline)) static unsigned sum(const unsigned char *p, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

__attribute__((noinline)) static void upper(unsigned char *to, const unsigned char *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[i] ^ 0x20;
}

__attribute__((noinline)) static unsigned char folded(const unsigned char *p, int n) {
    unsigned char all = 0;
    for (int i = 0; i < n; i++)
        all |= p[i];
    return all;
}

int main(void) {
    take_input();
    OBSERVE(sum(in, 64) == 6932); //~ branch stdin[0-63]
    unsigned char copy[64];
    upper(copy, in, 64);
    OBSERVE(copy[63] == 'L'); //~ branch taken stdin[63]
    OBSERVE(copy[17] == 'R'); //~ branch taken stdin[17]
    OBSERVE(folded(in, 64) == 0x7f); //~ branch taken stdin[0-63]
    return 0;
}

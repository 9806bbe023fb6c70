// The byte is pinned, because an instruction gets it that nobody follows; what comes later is tried all the same.
// input: stdin "ab"
// witness: stdin "gb"
#include "../include/records.h"

int main(void) {
    unsigned char head[2];
    unsigned sum;
    take(head, sizeof head);
    __asm__("movzbl %1, %0\n\troll $3, %0" : "=r"(sum) : "m"(head[0]));
    KEEP(sum);
    KEEP(100 / (head[0] - 'g')); //~ div-by-zero
    return 0;
}

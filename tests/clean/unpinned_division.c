// The same with a divisor that is never 0.
// input: stdin "ab"
#include "../include/records.h"

int main(void) {
    unsigned char head[2];
    unsigned sum;
    take(head, sizeof head);
    __asm__("movzbl %1, %0\n\troll $3, %0" : "=r"(sum) : "m"(head[0]));
    KEEP(sum);
    KEEP(100 / (head[0] % 7 + 1));
    return 0;
}

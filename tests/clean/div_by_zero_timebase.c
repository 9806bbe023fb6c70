// Zero and the one quotient that does not fit are both excluded.
// input: stdin "\x00\x00\x10\x00\xff\xff\xff\xf0"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    take(head, sizeof head);
    int stamp = (int)be32(head), divisor = (int)be32(head + 4);
    if (divisor == 0 || (stamp == INT32_MIN && divisor == -1))
        return 1;
    KEEP(stamp % divisor);
    return 0;
}

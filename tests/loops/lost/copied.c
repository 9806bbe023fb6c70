// More is copied than there is room for.
// input: stdin "\x02abcdefghijklmnopqrstuvwxyzabcdef"
#include "../../include/records.h"

int main(void) {
    unsigned char n, from[32], to[20];
    take(&n, 1);
    take(from, sizeof from);
    if (n > 32)
        return 1;
    for (int i = 0; i < n; i++)
        to[i] = from[i];
    return to[0] == 'x';
}

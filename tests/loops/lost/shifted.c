// A shift by the number of the iteration.
// input: stdin "\x02"
#include "../../include/records.h"

int main(void) {
    unsigned char n;
    take(&n, 1);
    if (n > 40)
        return 1;
    for (int i = 0; i < n; i++)
        printf("%d\n", 1 << i);
    return 0;
}

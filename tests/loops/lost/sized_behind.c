// The bound of a loop that does not matter is what matters behind it.
// input: stdin "\x02"
#include "../../include/records.h"

int main(void) {
    unsigned char n, table[30] = {0};
    take(&n, 1);
    if (n > 40)
        return 1;
    for (int i = 0; i < n; i++)
        putchar('.');
    return table[n];
}

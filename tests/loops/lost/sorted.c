// What is behind a sort depends on what was sorted.
// input: stdin "\x02\x05\x03\x04"
#include "../../include/records.h"

int main(void) {
    unsigned char n, a[3];
    take(&n, 1);
    take(a, sizeof a);
    if (n > 3)
        return 1;
    for (int i = 1; i < n; i++) {
        unsigned char value = a[i];
        int j = i - 1;
        for (; j >= 0 && a[j] > value; j--)
            a[j + 1] = a[j];
        a[j + 1] = value;
    }
    if (n == 3 && a[0] == 1 && a[1] == 2 && a[2] == 9)
        abort();
    return 0;
}

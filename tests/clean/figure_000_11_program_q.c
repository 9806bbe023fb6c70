// Active checkers, Figure 11: a pointer that was compared with null once is followed a hundred times.
// input: stdin "\x01"
//~ verified
#include "../include/records.h"

#define K 100

static int value = 3;

static int q(const int *x, const signed char a[K]) {
    int first = 0, second = 0;
    if (x == NULL)
        return 0;
    for (int i = 0; i < K; i++) {
        if (a[i] > 0)
            first = second / 2 + *x;
        else
            second = first / 2 + *x;
    }
    return first + second;
}

int main(void) {
    unsigned char present;
    signed char a[K] = {0};
    take(&present, sizeof present);
    /* Null or the address of the value, without a branch. */
    const int *x = (const int *)((uintptr_t)&value * (present & 1u));
    KEEP(q(x, a));
    return 0;
}

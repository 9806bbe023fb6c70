// Universal checks, Figure 21 without its second validation: an n*n matrix whose row size is computed in 32 bits.
// input: stdin "\x03\x00\x00\x00"
// witness: stdin "\x00\x00\x00\x20"
// witness: stdin "\x01\x00\x00\x40"
#include "../include/records.h"

int main(void) {
    uint32_t n;
    take(&n, sizeof n);
    if (n == 0)
        return 0;
    uint32_t bytes = n * (uint32_t)sizeof(int *); //~ integer-overflow | alloc-size
    int **rows = malloc(bytes); //~? alloc-size
    for (uint32_t i = 0; i < n && i < 4 && bytes >= 64; i++)
        rows[i] = NULL;
    free(rows);
    return 0;
}

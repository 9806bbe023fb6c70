// Universal checks, Figure 21: both sizes of an n*n matrix are validated before they are allocated.
// input: stdin "\x03\x00\x00\x00"
//~ verified
#include "../include/records.h"

#define LARGEST 64

int main(void) {
    uint32_t n;
    take(&n, sizeof n);
    if (n == 0 || n > LARGEST)
        return 1;
    int **rows = malloc(n * sizeof *rows);
    if (rows == NULL)
        return 1;
    for (uint32_t i = 0; i < n; i++)
        rows[i] = n <= LARGEST ? malloc(n * sizeof *rows[i]) : NULL;
    for (uint32_t i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return 0;
}

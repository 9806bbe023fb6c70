// Row and column of a matrix: the column is compared with the number of elements.
// input: stdin "\x01\x02"
// witness: stdin "\x01\x05"
#include "../include/records.h"

static int matrix[4][4];

int main(void) {
    unsigned char at[2];
    take(at, sizeof at);
    if (at[0] > 2 || at[1] > 5)
        return 1;
    matrix[at[0]][at[1]] = 1; //~ array-index
    KEEP(matrix[1][2]);
    return 0;
}

// A random number is an index; in most runs it is a good one.
// options: --random
// witness: rand "\x07\x00\x00\x00"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const int weights[8] = {1, 1, 2, 3, 5, 8, 13, 21};
    int at = rand() % 9;
    printf("%d\n", weights[at]); //~ array-index | global-buffer-overflow
    return 0;
}

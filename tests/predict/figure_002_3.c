// Figure 3 of the paper on predictive testing: the index is compared with the largest size, not with the size that there is.
// test predicted: "\x05\x03"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int size = getchar();
    if (size <= 0 || size > 10) {
        exit(1);
    }
    int *array = calloc((size_t)size, sizeof *array);
    if (!array) {
        exit(1);
    }
    int index = getchar();
    if (index < 0 || index > 9) {
        exit(1);
    }
    volatile int y = array[index]; //~ heap-buffer-overflow
    (void)y;
    return 0;
}

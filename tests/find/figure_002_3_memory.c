// Predictive testing, Figure 3: the index is compared with the largest size, not with the size that was allocated.
// input: stdin "\x05\x03"
// witness: stdin "\x05\x06"
#include "../include/records.h"

int main(void) {
    unsigned int size = (unsigned)getchar();
    if (size <= 0 || size > 10)
        exit(0);
    unsigned int *array = calloc(size, sizeof(unsigned int));
    unsigned int index = (unsigned)getchar();
    if (index > 9)
        exit(0);
    unsigned int y = array[index]; //~ heap-buffer-overflow
    KEEP(y);
    free(array);
    return 0;
}

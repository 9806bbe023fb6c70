// As much of some letters as the input says, which end nowhere.
// input: stdin "\x03"
// witness: stdin "\x09"
#include "../include/records.h"
#include <stdio.h>

int main(void) {
    unsigned char count;
    take(&count, sizeof count);
    char letters[4] = {'a', 'b', 'c', 'd'};
    printf("%.*s\n", (int)count, letters); //~ stack-buffer-overflow
    return 0;
}

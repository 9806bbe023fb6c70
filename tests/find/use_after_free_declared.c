// A function whose result is read from memory, called as one without a result.
// input: stdin "a"
// witness: stdin "x"
#include "../include/records.h"

__attribute__((noinline)) static int first(const int *numbers) {
    return *numbers; //~ use-after-free
}

int main(void) {
    char command;
    int *numbers = malloc(sizeof *numbers);
    take(&command, 1);
    if (!numbers)
        return 1;
    *numbers = 1;
    if (command == 'x')
        free(numbers);
    ((void (*)(const int *))first)(numbers);
    return 0;
}

// Callbacks from the library: labels of the elements arrive, labels of arguments never do by accident.
// input: stdin "\x05\x03\x09\x01\x07"
// elsewhere: allowed
#include "observe.h"

static int compare(const void *left, const void *right) {
    const unsigned char *a = left, *b = right;
    OBSERVE(*a < *b); //~ branch
    return *a - *b;
}

static int compare_concrete(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right; //~ no event
}

__attribute__((noinline)) static int with_label(int labelled) { return labelled + 1; }

int main(void) {
    take_input();
    qsort(in, 4, 1, compare); //~ branch
    OBSERVE(in[0] == 1); //~ branch taken stdin[3]
    OBSERVE(with_label(in[4]) == 8); //~ branch taken stdin[4]
    int numbers[4] = {4, 2, 3, 1};
    qsort(numbers, 4, sizeof *numbers, compare_concrete);
    OBSERVE(numbers[0] == 1); //~ no event
    int key = 3;
    int *found = bsearch(&key, numbers, 4, sizeof *numbers, compare_concrete);
    OBSERVE(found == numbers + 2); //~ no event
    return 0;
}

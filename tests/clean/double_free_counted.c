// Two owners count themselves.
// input: stdin "\x01\x02"
//~ verified
#include "../include/records.h"

struct shared {
    int owners;
};

static void release(struct shared *shared) {
    if (--shared->owners == 0)
        free(shared);
}

int main(void) {
    unsigned char numbers[2];
    take(numbers, sizeof numbers);
    struct shared *shared = malloc(sizeof *shared);
    if (shared == NULL)
        return 1;
    shared->owners = 1;
    if (numbers[0] == numbers[1])
        shared->owners++;
    release(shared);
    if (numbers[0] == numbers[1])
        release(shared);
    return 0;
}

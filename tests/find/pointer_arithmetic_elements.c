// An index of 64 bits into elements of 16 bytes: the product leaves the address space.
// input: stdin "\x02\x00\x00\x00\x00\x00\x00\x00"
// checks: default,pointer-arithmetic
// witness: stdin "\x02\x00\x00\x00\x00\x00\x00\x70"
#include "../include/records.h"

struct element {
    uint64_t words[2];
};

int main(void) {
    unsigned char head[8];
    take(head, sizeof head);
    struct element *elements = calloc(8, sizeof *elements);
    if (elements == NULL)
        return 1;
    struct element *element = elements + le64(head); //~ pointer-arithmetic
    if (element >= elements && element < elements + 8)
        KEEP((char *)element - (char *)elements);
    free(elements);
    return 0;
}

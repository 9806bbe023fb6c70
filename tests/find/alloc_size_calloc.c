// Number and size of elements are both given as 64 bits.
// input: stdin "\x04\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00"
// witness: stdin "\x04\x00\x00\x00\x00\x00\x00\x80\x08\x00\x00\x00\x00\x00\x00\x00"
#include "../include/records.h"

int main(void) {
    unsigned char head[16];
    take(head, sizeof head);
    void *elements = calloc(le64(head), le64(head + 8)); //~ alloc-size
    free(elements);
    return 0;
}

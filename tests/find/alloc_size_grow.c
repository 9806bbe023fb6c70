// A buffer grows by what the input says.
// input: stdin "\x20\x00\x00\x00\x00\x00\x00\x00"
// witness: stdin "\x20\x00\x00\x00\x00\x00\x00\xf0"
#include "../include/records.h"

int main(void) {
    unsigned char head[8];
    take(head, sizeof head);
    char *buffer = malloc(16);
    if (buffer == NULL)
        return 1;
    char *larger = realloc(buffer, 16 + le64(head)); //~ alloc-size | integer-overflow
    free(larger != NULL ? larger : buffer); //~? double-free | use-after-free
    return 0;
}

// Small strings live on the stack, large ones on the heap, and those in between in both worlds.
// input: stdin "\x03"
// witness: stdin "\x10"
#include "../include/records.h"

int main(void) {
    unsigned char length;
    char small[16], *string = small;
    take(&length, sizeof length);
    if (length > 16)
        string = malloc(length);
    if (string == NULL)
        return 1;
    string[0] = 'x';
    if (length >= 16)
        free(string); //~ invalid-free
    return 0;
}

// Small strings live on the stack, large ones on the heap, and each is asked where it lives.
// input: stdin "\x03"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char length;
    char small[16], *string = small;
    take(&length, sizeof length);
    if (length > sizeof small)
        string = malloc(length);
    if (string == NULL)
        return 1;
    string[0] = 'x';
    if (string != small)
        free(string);
    return 0;
}

// Nothing at all may be freed.
// input: stdin "\x01"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char wanted;
    char *name = NULL;
    take(&wanted, sizeof wanted);
    if (wanted != 0)
        name = malloc(16);
    free(name);
    return 0;
}

// A place in a buffer is kept as an offset, so the buffer may grow.
// input: stdin "\x10name"
//~ verified
#include "../include/records.h"

int main(void) {
    unsigned char need;
    take(&need, sizeof need);
    char *buffer = malloc(32);
    if (buffer == NULL)
        return 1;
    take(buffer, 4);
    size_t name = 1;
    if (need > 32) {
        char *larger = realloc(buffer, 4096);
        if (larger == NULL)
            return 1;
        buffer = larger;
    }
    KEEP(buffer[name]);
    free(buffer);
    return 0;
}

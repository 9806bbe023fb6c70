// A pointer into a buffer is kept while the buffer may grow.
// input: stdin "\x10name"
// witness: stdin "\x80name"
#include "../include/records.h"

int main(void) {
    unsigned char need;
    take(&need, sizeof need);
    char *buffer = malloc(32);
    if (buffer == NULL)
        return 1;
    take(buffer, 4);
    const char *name = buffer;
    if (need > 32) {
        char *larger = realloc(buffer, 4096);
        if (larger == NULL)
            return 1;
        buffer = larger;
    }
    KEEP(name[0]); //~ use-after-free
    free(buffer);
    return 0;
}

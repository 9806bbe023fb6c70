// A name whose end depends on the input, and one behind it at the latest that does not: strlen stays inside.
// test verified: "f\x00"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = malloc(3);
    if (!name || fread(name, 1, 2, stdin) != 2) {
        return 2;
    }
    name[2] = 0;
    printf("%zu\n", strlen(name));
    free(name);
    return 0;
}

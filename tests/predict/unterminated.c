// A name that ends where the input has a zero, in a block that has no room for one: without it, strlen reads on.
// test predicted: "f\x00"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = malloc(2);
    if (!name || fread(name, 1, 2, stdin) != 2) {
        return 2;
    }
    printf("%zu\n", strlen(name)); //~ heap-buffer-overflow
    free(name);
    return 0;
}

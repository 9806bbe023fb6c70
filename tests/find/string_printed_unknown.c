// A letter that no conversion has takes no argument, so that the name is the one behind it; and a name can be asked for by its number.
// input: stdin "abc"
#include "../include/records.h"

#pragma clang diagnostic ignored "-Wformat"

int main(void) {
    char *name = malloc(4);
    if (!name)
        return 1;
    take(name, 3);
    name[3] = name[0] == 'x' ? 'x' : '\0';
    if (name[1] == 'b')
        printf("5%, of %s\n", name); //~ heap-buffer-overflow
    else
        printf("%2$s of %1$d\n", 5, name); //~ heap-buffer-overflow
    return 0;
}

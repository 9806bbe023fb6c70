// The name of a file goes into a buffer of 1024 bytes, with an ending behind it.
#include <stdio.h>
#include <string.h>

static char name[1024];

int main(int count, char **arguments) {
    if (count < 2) {
        return 2;
    }
    strcpy(name, arguments[1]);
    strcat(name, ".out");
    printf("%s\n", name);
    return 0;
}

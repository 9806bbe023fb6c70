// main keeps the name of a program in 31 bytes.
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    char who[31];
    const char *last = count > 1 ? strrchr(arguments[1], '/') : NULL;
    strcpy(who, last ? last + 1 : count > 1 ? arguments[1] : "nobody");
    printf("%s\n", who);
    return 0;
}

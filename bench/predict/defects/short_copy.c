// main keeps the name that it is given in 31 bytes.
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    char who[31];
    strcpy(who, count > 1 ? arguments[1] : "nobody");
    printf("%s\n", who);
    return 0;
}

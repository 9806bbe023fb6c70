// Modifiers and letters that the C library knows and the sanitizer does not: the name is the argument behind the number all the same.
// input: stdin "abc"
// witness: stdin "xbc"
#include "../include/records.h"

#pragma clang diagnostic ignored "-Wformat"

int main(void) {
    char *name = malloc(4);
    if (!name)
        return 1;
    take(name, 3);
    name[3] = name[0] == 'x' ? 'x' : '\0';
    if (name[1] == 'b')
        printf("%Zu letters: %s\n", sizeof name - 1, name); //~ heap-buffer-overflow
    else
        printf("%b: %s\n", 5, name); //~ heap-buffer-overflow
    return 0;
}

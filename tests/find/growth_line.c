// A line that fits its buffer, and a name in it that fits its own only because it is short.
// input: stdin "bob\n"
// witness: stdin "bobbobbobbobbobbobbob\n"
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[200], name[16];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    line[strcspn(line, "\n")] = '\0';
    strcpy(name, line); //~ string-overflow | stack-buffer-overflow
    printf("hello %s\n", name);
    return 0;
}

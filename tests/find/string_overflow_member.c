// A string that leaves its member but not the structure: the next member is overwritten.
// input: stdin "bob\n"
// witness: stdin "bobbbbbbbb\n"
#include <stdio.h>
#include <string.h>

struct user {
    char name[8];
    char role[64];
};

int main(void) {
    char line[40];
    struct user user = {"", "guest"};
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = '\0';
    strcpy(user.name, line); //~ string-overflow | array-index
    printf("%s is a %s\n", user.name, user.role);
    return 0;
}

// A string that leaves the first member of a global structure, and not the structure.
// input: stdin "bob\n"
// witness: stdin "bobbbbbbbb\n"
// fixme: the address of the first member is that of the variable, and nothing says that the member is meant
#include "../include/records.h"

static struct {
    char name[8];
    char role[64];
} user;

int main(void) {
    char line[40];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    strcpy(user.name, line); //~ string-overflow
    KEEP(user.name[0] + user.role[0]);
    return 0;
}

// The last line is too short for any command, and what it is compared with says nothing; the one with the mistake fits where another stands.
// input: stdin "user bob\nquit\n"
// witness: stdin "fail %n%\nquit\n"
#include "../include/records.h"
#include <stdio.h>
#include <string.h>

static void report(const char *what) {
    char line[64];
    snprintf(line, sizeof line, "auth: %s\n", what);
    printf(line); //~ format-string
}

int main(void) {
    char line[48];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "user ", 5) == 0)
            printf("login %s\n", line + 5);
        else if (strncmp(line, "fail ", 5) == 0)
            report(line + 5);
        else
            printf("%d bytes\n", (int)strlen(line));
    }
    return 0;
}

// Strings of any length that are copied only where they fit.
// args: name
// options: --arg 1 --env THEME=dark
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char name[31], line[64];
    const char *theme = getenv("THEME");
    if (argc < 2 || strlen(argv[1]) >= sizeof name)
        return 1;
    strcpy(name, argv[1]);
    if (theme && strlen(theme) < 16) {
        sprintf(line, "%s: %s", name, theme);
        puts(line);
    }
    strncpy(name, argv[1], sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(line, sizeof line, "%s", name);
    return 0;
}

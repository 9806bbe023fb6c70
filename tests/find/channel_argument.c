// A name from the command line is copied into places of 1024 and of 31 bytes; the name that is given is short.
// args: -v letter.txt
// options: --arg 2
// witness: argv[2] "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#include <stdio.h>
#include <string.h>

static char path[1024];
static char title[31];

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "-v") != 0)
        return 2;
    strcpy(path, argv[2]); //~ string-overflow | global-buffer-overflow
    if (strlen(path) > 200)
        return 1;
    strcpy(title, path); //~ string-overflow | global-buffer-overflow
    printf("%s %s\n", path, title);
    return 0;
}

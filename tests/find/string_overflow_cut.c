// A name is cut off at one size and copied into a place of another one, which is too small for what is left.
// args: -v letter.txt
// options: --arg 2
// witness: argv[2] "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#include <stdio.h>
#include <string.h>

static char path[64];
static char title[31];

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    snprintf(path, sizeof path, "%s", argv[2]);
    strcpy(title, path); //~ string-overflow | global-buffer-overflow
    printf("%s %s\n", path, title);
    return 0;
}

// An option that is longer than the argument that is given.
// args: x
// options: --arg 1
// witness: argv[1] "--remove"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--remove") == 0)
        abort(); //~ assertion
    return 0;
}

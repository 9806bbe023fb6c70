// An option that the library looks for, and its argument, which is copied.
// args: -q -n name
// options: --all-args
// witness: argv[1] "-x"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char name[20] = "";
    static const struct option known[] = {{"quiet", 0, 0, 'q'}, {"name", 1, 0, 'n'}, {0, 0, 0, 0}};
    for (int option; (option = getopt_long(argc, argv, "qxn:", known, NULL)) != -1;) {
        switch (option) {
        case 'x':
            abort(); //~ assertion
        case 'n':
            strcpy(name, optarg); //~ string-overflow | stack-buffer-overflow
            break;
        }
    }
    return name[0] == '\0';
}

// A row of names, of which the one that nobody gave is as long as one that left the row early, and shorter than all that come to it.
// input: stdin "add 2\nrun\ndone 1\nlist\n"
// witness: stdin "add 2\nnow\ndone 1\nlist\n"
#include "../include/records.h"

int main(void) {
    char line[32];
    int tasks = 0, running = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *name = strtok(line, " \n"), *number = strtok(NULL, " \n");
        if (!name)
            continue;
        if (strcmp(name, "add") == 0)
            tasks += number ? 1 : 0;
        else if (strcmp(name, "run") == 0)
            running = tasks;
        else if (strcmp(name, "done") == 0)
            tasks -= number && tasks ? 1 : 0;
        else if (strcmp(name, "now") == 0)
            KEEP(100 / running); //~ div-by-zero
        else if (strcmp(name, "list") == 0)
            KEEP(tasks);
    }
    return 0;
}

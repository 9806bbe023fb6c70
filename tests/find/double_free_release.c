// Two releases in a row: the second of a program that sends one.
// input: stdin "ru"
// witness: stdin "rr"
#include "../include/records.h"

int main(void) {
    char commands[2];
    take(commands, sizeof commands);
    void *resource = malloc(16);
    for (int i = 0; i < 2; i++)
        if (commands[i] == 'r')
            free(resource); //~ double-free
    return 0;
}

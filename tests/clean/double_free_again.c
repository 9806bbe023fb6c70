// A block is freed, allocated again, and freed again.
// input: stdin "ru"
//~ verified
#include "../include/records.h"

int main(void) {
    char commands[2];
    take(commands, sizeof commands);
    void *resource = malloc(16);
    for (int i = 0; i < 2; i++) {
        if (commands[i] == 'r') {
            free(resource);
            resource = malloc(16);
        }
    }
    free(resource);
    return 0;
}

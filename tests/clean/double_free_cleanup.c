// A failure frees, and says so.
// input: stdin "OK"
//~ verified
#include "../include/records.h"

static int load(char **block, const char *head) {
    if (head[0] != 'O') {
        free(*block);
        *block = NULL;
        return -1;
    }
    (*block)[0] = head[1];
    return 0;
}

int main(void) {
    char head[2];
    take(head, sizeof head);
    char *block = malloc(8);
    if (block == NULL)
        return 1;
    KEEP(load(&block, head));
    free(block);
    return 0;
}

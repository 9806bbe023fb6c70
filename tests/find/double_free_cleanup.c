// A failure frees what the common exit frees again.
// input: stdin "OK"
// witness: stdin "KO"
#include "../include/records.h"

static int load(char *block, const char *head) {
    if (head[0] != 'O') {
        free(block);
        return -1;
    }
    block[0] = head[1];
    return 0;
}

int main(void) {
    char head[2];
    take(head, sizeof head);
    char *block = malloc(8);
    if (block == NULL)
        return 1;
    KEEP(load(block, head));
    free(block); //~ double-free
    return 0;
}

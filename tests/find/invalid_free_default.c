// A name has a default that nobody allocated.
// input: stdin "\x01x"
// witness: stdin "\x00x"
#include "../include/records.h"

static char anonymous[] = "anonymous";

int main(void) {
    char record[2], *name = anonymous;
    take(record, sizeof record);
    if (record[0] != 0) {
        name = malloc(2);
        if (name == NULL)
            return 1;
        name[0] = record[1];
        name[1] = '\0';
    }
    KEEP(name[0]);
    free(name); //~ invalid-free
    return 0;
}

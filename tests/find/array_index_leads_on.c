// A row of a table, looked up on one line and read on another: one mistake. A second table has one of its own.
// input: stdin "\x02\x03"
// witness: stdin "\x28\x03"
#include "../include/records.h"

struct table {
    int cells[16];
    int limits[16];
};

static int *cell(struct table *table, unsigned row) {
    return &table->cells[row]; //~ array-index
}

int main(void) {
    unsigned char request[2];
    struct table table = {{1}, {2}};
    int few[10] = {3};
    take(request, sizeof request);
    int *chosen = cell(&table, request[0]);
    KEEP((intptr_t)chosen);
    KEEP(*chosen);
    KEEP(few[request[1]]); //~ stack-buffer-overflow | array-index
    return 0;
}

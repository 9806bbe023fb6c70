// A parameter that is declared _Nonnull gets the parent of the root.
// input: stdin "\x02"
// witness: stdin "\x00"
#include "../include/records.h"

struct directory {
    const struct directory *parent;
    int entries;
};

static int entries_of(const struct directory *_Nonnull directory) {
    return directory ? directory->entries : -1;
}

int main(void) {
    unsigned char depth;
    struct directory root = {NULL, 3}, home = {&root, 5}, user = {&home, 7};
    take(&depth, sizeof depth);
    const struct directory *at = &user;
    if (depth == 0)
        at = &root;
    else if (depth == 1)
        at = &home;
    KEEP(entries_of(at->parent)); //~ nonnull-arg
    return 0;
}

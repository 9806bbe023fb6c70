// Two objects share their data if they have the same number, and both think that it is theirs.
// input: stdin "\x01\x02"
// witness: stdin "\x02\x02"
#include "../include/records.h"

struct object {
    unsigned number;
    char *data;
};

static void destroy(struct object *object) {
    free(object->data); //~ double-free
    object->data = NULL;
}

int main(void) {
    unsigned char numbers[2];
    take(numbers, sizeof numbers);
    struct object first = {numbers[0], malloc(8)}, second = {numbers[1], NULL};
    second.data = first.number == second.number ? first.data : malloc(8);
    destroy(&first);
    destroy(&second);
    return 0;
}

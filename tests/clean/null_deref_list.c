// A list is walked to its end, however long it is.
// input: stdin "\x07\x09\x00"
//~ verified
#include "../include/records.h"

struct node {
    int value;
    struct node *next;
};

int main(void) {
    unsigned char values[3];
    struct node nodes[3], *head = NULL;
    int sum = 0;
    take(values, sizeof values);
    for (int i = 0; i < 3 && values[i] != 0; i++) {
        nodes[i].value = values[i];
        nodes[i].next = head;
        head = &nodes[i];
    }
    for (const struct node *node = head; node != NULL; node = node->next)
        sum += node->value;
    KEEP(sum);
    return 0;
}

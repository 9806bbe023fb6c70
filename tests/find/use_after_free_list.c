// Elements with a key are removed while the list is walked.
// input: stdin "\x05"
// witness: stdin "\x01"
#include "../include/records.h"

struct node {
    int key;
    struct node *next;
};

static struct node *cons(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->key = key;
    node->next = next;
    return node;
}

int main(void) {
    unsigned char key;
    int removed = 0;
    take(&key, sizeof key);
    struct node *list = cons(1, cons(2, NULL));
    for (struct node *node = list; node != NULL; node = node->next) { //~ use-after-free
        if (node->key == key) {
            free(node);
            removed++;
        }
    }
    KEEP(removed);
    return 0;
}

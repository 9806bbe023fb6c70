// Elements are removed from a list that is walked by the links to them.
// input: stdin "\x05"
//~ verified
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
    take(&key, sizeof key);
    struct node *list = cons(1, cons(2, NULL)), **link = &list;
    while (*link != NULL) {
        struct node *node = *link;
        if (node->key == key) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

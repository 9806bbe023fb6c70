// The second element of a list that may have one only.
// input: stdin "\x07\x09\x00"
// witness: stdin "\x07\x00\x00"
#include "../include/records.h"

struct node {
    int value;
    struct node *next;
};

int main(void) {
    unsigned char values[3];
    struct node *head = NULL, **tail = &head;
    take(values, sizeof values);
    if (values[0] == 0)
        return 1;
    for (int i = 0; i < 3 && values[i] != 0; i++) {
        *tail = calloc(1, sizeof **tail);
        if (*tail == NULL)
            return 1;
        (*tail)->value = values[i];
        tail = &(*tail)->next;
    }
    KEEP(head->next->value); //~ null-deref
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}

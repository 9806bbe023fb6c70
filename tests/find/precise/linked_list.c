// Which node of a list is entered depends on the input, and so does what its successor holds.
// input: stdin "\x00"
// witness: stdin "\x02"
#include "../../include/records.h"

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node last = {NULL, 7}, third = {&last, 3}, second = {&third, 5}, first = {&second, 1};
    struct node *nodes[4] = {&first, &second, &third, &last};
    unsigned char which;
    take(&which, sizeof which);
    struct node *node = nodes[which & 3];
    if (node->next != NULL && node->next->value == 7)
        assert(0); //~ assertion
    return 0;
}

// The address behind the last element is formed, and nothing is read there.
// input: stdin "\x04"
//~ verified
#include "../include/records.h"

struct list {
    int items[4];
    int after;
};

int main(void) {
    unsigned char count;
    struct list list = {{1, 2, 3, 4}, 5};
    take(&count, sizeof count);
    if (count > 4)
        return 1;
    const int *end = &list.items[count];
    KEEP(end - list.items);
    return 0;
}

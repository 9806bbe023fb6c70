// The loop over the entries goes round once in the run that is given; there may be many more entries than there is room for.
// input: stdin "\x01abc"
// witness: stdin "\x05abc"
#include "../include/records.h"

int main(void) {
    unsigned char head[4];
    int entries[4] = {0};
    take(head, sizeof head);
    unsigned count = head[0];
    if (count > 200)
        return 1;
    for (unsigned i = 0; i < count; i++)
        entries[i] = head[1]; //~ stack-buffer-overflow
    KEEP(entries[0]);
    return 0;
}

// Two iterations that do different things lead to it.
// input: stdin "\x01\x00\x00\x00"
#include "../../include/records.h"

int main(void) {
    unsigned char n, what[3];
    take(&n, 1);
    take(what, sizeof what);
    if (n > 3)
        return 1;
    int first = 0, second = 0;
    for (int i = 0; i < n; i++) {
        if (what[i] == 'a')
            first = 1;
        else if (what[i] == 'b')
            second = 1;
    }
    if (first && second)
        abort();
    return 0;
}

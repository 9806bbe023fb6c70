// Fields are compared when an initialiser is complete, in whatever order it names them.
// input: stdin "\x05\x02"
//~ verified
#include <provoke.h>

#include "../include/records.h"

struct range {
    PROVOKE_REFINE("low <= high") int low;
    PROVOKE_REFINE("low <= high") int high;
};

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    struct range first = {head[0], head[0] + head[1]};
    struct range second = {.high = 300, .low = head[0] > 3 ? head[0] : head[1]};
    KEEP(first.high - first.low + second.high - second.low);
    return 0;
}

// A condition that is computed in 128 bits, and divides: views of programs that do so could not be linked.
// input: stdin "\x20\x08"
// witness: stdin "\xff\x02"
#include <provoke.h>

#include "../include/records.h"

int64_t each(int64_t bytes, int64_t count);

__attribute__((noinline)) int64_t each(PROVOKE_REFINE("count != 0 && bytes / count < 100")
                                           int64_t bytes, //~ refinement
                                       int64_t count) {
    return count > 0 ? bytes / count : 0;
}

int main(void) {
    unsigned char head[2];
    take(head, sizeof head);
    KEEP(each(head[0], head[1]));
    return 0;
}

// An alias stands for another name, or for itself.
// input: stdin "\x02"
// witness: stdin "\x01"
// anywhere: stack-overflow
#include "../include/records.h"

struct frame {
    const struct frame *caller;
    char scratch[1024];
};

static unsigned resolved;

__attribute__((noinline)) static unsigned resolve(unsigned name, unsigned target, const struct frame *caller) {
    struct frame frame = {caller, {0}};
    frame.scratch[1] = (char)name;
    resolved++;
    if (name == target)
        return resolve(target, name, &frame) + (unsigned char)frame.scratch[1];
    return target;
}

int main(void) {
    unsigned char target;
    take(&target, sizeof target);
    KEEP(resolve(1, target, NULL));
    return 0;
}

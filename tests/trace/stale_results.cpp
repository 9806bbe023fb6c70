// Results that nobody takes are not taken for those of a later call of the same function.
// input: stdin "A"
#include "observe.h"

struct guard {
    ~guard() { putchar('.'); }
};

static volatile int never;
static unsigned char constant[4] = {7, 7, 7, 7};

__attribute__((noinline)) static int first_byte(unsigned char *bytes) {
    if (never)
        throw 1;
    return *bytes;
}

/* With something to destroy, calls are invokes. */
__attribute__((noinline)) static int guarded(void) {
    guard here;
    first_byte(in);
    return first_byte(constant);
}

__attribute__((noinline)) static int prefetched(void) {
    __builtin_prefetch(in + first_byte(in));
    return first_byte(constant);
}

int main() {
    take_input();
    OBSERVE(guarded() == 7); //~ no event
    OBSERVE(prefetched() == 7); //~ no event
    OBSERVE(first_byte(in) == 'A'); //~ branch taken stdin[0]
    return 0;
}

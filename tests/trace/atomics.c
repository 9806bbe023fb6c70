// Atomic loads and stores carry labels; read-modify-write and compare-exchange never leave a stale one.
// input: stdin "\x05\x06\x07\x08"
#include <stdatomic.h>

#include "observe.h"

static atomic_uint shared;

int main(void) {
    take_input();
    atomic_store(&shared, in[0]);
    OBSERVE(atomic_load(&shared) == 5); //~ branch taken stdin[0]
    atomic_store_explicit(&shared, 9, memory_order_release);
    OBSERVE(atomic_load_explicit(&shared, memory_order_acquire) == 9); //~ no event
    atomic_store(&shared, in[1]);
    unsigned old = atomic_fetch_add(&shared, in[2]);
    OBSERVE(old == 6); //~ branch taken stdin[1]
    OBSERVE(atomic_load(&shared) == 13); //~ branch taken stdin[1-2]
    atomic_store(&shared, 1);
    unsigned expected = in[3];
    int swapped = atomic_compare_exchange_strong(&shared, &expected, 3);
    OBSERVE(swapped); //~ branch not-taken stdin[3]
    OBSERVE(atomic_exchange(&shared, 4) == 1); //~ branch taken stdin[3]
    OBSERVE(atomic_load(&shared) == 4); //~ no event
    return 0;
}

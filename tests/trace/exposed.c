// Functions that are not modelled see all of a block of memory, not only its first bytes.
// input: stdin "7777999912345678"
#include <pthread.h>
#include <stdarg.h>

#include "observe.h"

static char text[32] = "00000000";

__attribute__((noinline)) static int format(const char *how, ...) {
    va_list list;
    va_start(list, how);
    int length = vprintf(how, list); //~ loss unmodelled-call
    va_end(list);
    return length;
}

int main(void) {
    take_input();
    memcpy(text + 8, in, 4);
    OBSERVE(a64l(text) != 1); //~ loss unmodelled-call
    char local[64] = "000000000000000000000000000000000000";
    OBSERVE(a64l(local) != 1); //~ no event
    memcpy(local + 40, in + 4, 4);
    OBSERVE(a64l(local) != 1); //~ loss unmodelled-call
    /* Models look at no more than the string. */
    local[8] = 0;
    OBSERVE(strstr(local, "000") == local); //~ no event
    OBSERVE(strrchr(local, '0') == local + 7); //~ no event
    char *block = malloc(64);
    memset(block, '0', 64);
    block[63] = 0;
    OBSERVE(a64l(block) != 1); //~ no event
    block[62] = in[8];
    OBSERVE(a64l(block + 32) != 1); //~ loss unmodelled-call
    struct { pthread_mutex_t lock; char data[8]; } *shared = calloc(1, sizeof *shared);
    memcpy(shared->data, in + 10, 4);
    OBSERVE(pthread_mutex_lock(&shared->lock) == 0); //~ no event
    OBSERVE(shared->data[0] == '3'); //~ branch taken stdin[10]
    OBSERVE(format("%d\n", 5) == 2); //~ no event
    OBSERVE(format("%d\n", in[9]) == 3); //~ no event
    return 0;
}

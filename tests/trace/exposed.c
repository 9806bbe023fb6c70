// Functions that are not modelled see all of a block of memory, not only its first bytes.
// input: stdin "7777999912345678"
#include <pthread.h>
#include <stdarg.h>

#include "observe.h"

static char text[32] = "00000000";

__attribute__((noinline)) static void format(char *out, const char *how, ...) {
    va_list list;
    va_start(list, how);
    vsprintf(out, how, list); //~ loss unmodelled-call
    va_end(list);
}

int main(void) {
    take_input();
    memcpy(text + 8, in, 4);
    OBSERVE(strtol(text, NULL, 10) == 7777); //~ loss unmodelled-call
    char local[64] = "000000000000000000000000000000000000";
    OBSERVE(strtol(local, NULL, 10) == 0); //~ no event
    memcpy(local + 40, in + 4, 4);
    OBSERVE(strtol(local, NULL, 10) == 0); //~ loss unmodelled-call
    char *block = malloc(64);
    memset(block, '0', 64);
    block[63] = 0;
    OBSERVE(strtol(block, NULL, 10) == 0); //~ no event
    block[62] = in[8];
    OBSERVE(strtol(block + 32, NULL, 10) == 1); //~ loss unmodelled-call
    struct { pthread_mutex_t lock; char data[8]; } *shared = calloc(1, sizeof *shared);
    memcpy(shared->data, in + 10, 4);
    OBSERVE(pthread_mutex_lock(&shared->lock) == 0); //~ no event
    OBSERVE(shared->data[0] == '3'); //~ branch taken stdin[10]
    char out[16];
    format(out, "%d", 5); //~ no event
    OBSERVE(out[0] == '5'); //~ no event
    format(out, "%d", in[9]); //~ no event
    OBSERVE(out[0] == '5'); //~ no event
    return 0;
}

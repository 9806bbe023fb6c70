// What a thread returns has no label for whoever joins it, however it ends.
// cflags: -pthread
// input: stdin "\x05\x06\x07\x08"
#include <pthread.h>

#include "observe.h"

static int cleaned;
static void clean(void *unused) {
    (void)unused;
    cleaned++;
}

static void *returns(void *argument) { return (void *)(intptr_t)in[(intptr_t)argument]; }

static void *leaves(void *argument) {
    pthread_cleanup_push(clean, NULL);
    pthread_exit((void *)(intptr_t)in[(intptr_t)argument]); //~ pin unmodelled-call 0x6 stdin[1]
    pthread_cleanup_pop(0);
    return NULL;
}

static void *waits(void *argument) {
    pthread_cleanup_push(clean, NULL);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    take_input();
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, returns, (void *)0); //~ pin unmodelled-call 0x5 stdin[0]
    pthread_join(thread, &result);
    OBSERVE((intptr_t)result == 5); //~ no event
    pthread_create(&thread, NULL, leaves, (void *)1); //~ no event
    pthread_join(thread, &result);
    OBSERVE((intptr_t)result == 6); //~ no event
    pthread_create(&thread, NULL, waits, NULL); //~ no event
    pthread_cancel(thread);
    pthread_join(thread, &result);
    OBSERVE(result == PTHREAD_CANCELED); //~ no event
    printf("%d\n", cleaned);
    return 0;
}

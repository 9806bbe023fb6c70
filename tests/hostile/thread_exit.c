// The main thread leaves before the others.
// cflags: -pthread
// input: stdin "abc"
#include <pthread.h>

#include "observe.h"

static void *worker(void *unused) {
    usleep(10000);
    OBSERVE(in[1] == 'b'); //~ branch taken stdin[1]
    return unused;
}

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_exit(NULL);
}

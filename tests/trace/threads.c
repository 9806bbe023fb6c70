// Labels pass between threads through memory and as the argument of a thread; arguments of one thread stay its own.
// cflags: -pthread
// input: stdin "\x05\x06\x07\x08"
#include <pthread.h>

#include "observe.h"

static unsigned char shared[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int twice(int x) { return 2 * x; }

static void *worker(void *argument) {
    int index = *(int *)argument;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 1000; i++)
        shared[index] = (unsigned char)(twice(in[index]) + 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    take_input();
    pthread_t threads[4];
    int indices[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, worker, &indices[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    OBSERVE(shared[0] == 11); //~ branch taken stdin[0]
    OBSERVE(shared[3] == 17); //~ branch taken stdin[3]
    OBSERVE(twice(2) == 4); //~ no event
    return 0;
}

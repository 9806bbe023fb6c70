// Units are followed in the first thread only.
// unit: pick
// unit args: unit
// unit test: "\x03\x01"
// precondition: at <= 9
// test verified: "\x02\x05"
#include <pthread.h>
#include <unistd.h>

static int table[10];
static volatile int sink;
static unsigned char in[2];

static void pick(unsigned at) {
    sink = table[at];
}

static void *other(void *unused) {
    pick(1);
    return unused;
}

int main(int count, char **arguments) {
    (void)arguments;
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (count > 1) {
        pthread_t thread;
        pick(in[0] & 7);
        if (pthread_create(&thread, NULL, other, NULL) == 0) {
            pthread_join(thread, NULL);
        }
    } else {
        pick(in[0] & 7);
    }
    return 0;
}

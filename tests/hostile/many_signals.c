// A timer that interrupts labelled work all the time.
// input: stdin "abcdefgh"
#include <signal.h>
#include <sys/time.h>

#include "observe.h"

static volatile unsigned ticks;
static volatile unsigned char seen;

static void on_tick(int number) {
    (void)number;
    ticks++;
    seen = in[ticks % 8] ^ 1;
}

int main(void) {
    take_input();
    signal(SIGALRM, on_tick);
    struct itimerval timer = {{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &timer, NULL);
    unsigned sum = 0;
    for (int i = 0; i < 200000; i++)
        sum = sum * 31 + in[i % 8];
    timer = (struct itimerval){0};
    setitimer(ITIMER_REAL, &timer, NULL);
    OBSERVE(sum == 12345); //~ branch not-taken
    return 0;
}

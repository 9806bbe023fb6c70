/* Random numbers and the time as input. Part of views that are asked for it (--random): what the functions give in this run is
 * the input, and may be anything else in another.
 */
#include <provoke.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define MODEL PROVOKE_MODEL

int MODEL(rand)(void)
{
    int value = 1804289383;
    provoke_make_symbolic(&value, sizeof value, "rand");
    return value & RAND_MAX;
}

int MODEL(rand_r)(unsigned *seed)
{
    (void)seed;
    return rand();
}

/* What numbers start from makes no difference to what they may be. */
void MODEL(srand)(unsigned seed)
{
    (void)seed;
}

void MODEL(srandom)(unsigned seed)
{
    (void)seed;
}

long MODEL(random)(void)
{
    int value = 846930886;
    provoke_make_symbolic(&value, sizeof value, "random");
    return value & RAND_MAX;
}

time_t MODEL(time)(time_t *to)
{
    time_t value = 1000000000;
    provoke_make_symbolic(&value, sizeof value, "time");
    if (to)
        *to = value;
    return value;
}

ssize_t MODEL(getrandom)(void *memory, size_t size, unsigned flags)
{
    (void)flags;
    provoke_make_symbolic(memory, size, "getrandom");
    return (ssize_t)size;
}

int MODEL(getentropy)(void *memory, size_t size)
{
    provoke_make_symbolic(memory, size, "getentropy");
    return 0;
}

uint32_t MODEL(arc4random)(void)
{
    uint32_t value = 1681692777;
    provoke_make_symbolic(&value, sizeof value, "arc4random");
    return value;
}

uint32_t MODEL(arc4random_uniform)(uint32_t bound)
{
    return bound ? MODEL(arc4random)() % bound : 0;
}

void MODEL(arc4random_buf)(void *memory, size_t size)
{
    provoke_make_symbolic(memory, size, "arc4random_buf");
}

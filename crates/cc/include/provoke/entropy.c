/* The same random numbers in each run. Part of views of programs that ask the system for some, unless these are input (--random):
 * hash tables get their seeds from them, and a run that nobody can repeat tells nothing.
 */
#include <errno.h>
#include <provoke.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MODEL PROVOKE_MODEL

static uint64_t asked;

/* A permutation of all numbers that leaves no pattern: multiplied and mixed. */
static uint64_t next(void)
{
    uint64_t number = ++asked * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    return number ^ number >> 29;
}

static void fill(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t at = 0; at < size; at++)
        bytes[at] = (unsigned char)next();
}

ssize_t MODEL(getrandom)(void *memory, size_t size, unsigned flags)
{
    (void)flags;
    fill(memory, size);
    return (ssize_t)size;
}

int MODEL(getentropy)(void *memory, size_t size)
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    fill(memory, size);
    return 0;
}

uint32_t MODEL(arc4random)(void)
{
    return (uint32_t)next();
}

uint32_t MODEL(arc4random_uniform)(uint32_t bound)
{
    return bound ? (uint32_t)next() % bound : 0;
}

void MODEL(arc4random_buf)(void *memory, size_t size)
{
    fill(memory, size);
}

/*
 * A generated program is compiled twice from the same text: for Provoke, where the words below are ordinary C, and with BRUTE, where
 * they write down which way the program goes and which checks fail.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 8u

static uint32_t run(uint32_t a, uint32_t b);
static uint32_t block[ROOM];

#ifndef BRUTE

#include <assert.h>

#define B(condition) (condition)
#define D(x, y) ((x) / (y))
#define S(x, y) ((uint32_t)((int32_t)(x) + (int32_t)(y)))
#define M(x, y) ((uint32_t)((int32_t)(x) - (int32_t)(y)))
#define R(index) (block[index])
#define W(index, value) (block[index] = (value))
#define T(condition) assert(condition)
#define F(x) ((uint32_t)((double)((x) & 255u) * 1.5))

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    printf("%u\n", (unsigned)run(in[0], in[1]));
    return 0;
}

#else

/* A step: a decision and which way it went, or a check and whether it failed. */
struct step {
    int line;
    char what;
};

#define MOST 4096
static struct step reference[MOST], current[MOST];
static int steps, ended;

static uint32_t add(int line, char what) {
    if (!ended && steps < MOST) {
        current[steps++] = (struct step){line, what};
    }
    /* What follows a violation is undefined. */
    if (what == 'x') {
        ended = 1;
    }
    return 0;
}

#define B(condition) decide(__LINE__, (condition))
#define D(x, y) divide(__LINE__, (x), (y))
#define S(x, y) sum(__LINE__, (int32_t)(x), (int32_t)(y))
#define M(x, y) difference(__LINE__, (int32_t)(x), (int32_t)(y))
#define R(index) (*at(__LINE__, (index)))
#define W(index, value) (*at(__LINE__, (index)) = (value))
#define T(condition) add(__LINE__, (condition) ? '.' : 'x')
#define F(x) ((uint32_t)((double)((x) & 255u) * 1.5))

static int decide(int line, int taken) {
    add(line, taken ? '1' : '0');
    return taken;
}

static uint32_t divide(int line, uint32_t x, uint32_t y) {
    add(line, y ? '.' : 'x');
    return y ? x / y : 0;
}

static uint32_t sum(int line, int32_t x, int32_t y) {
    int32_t result;
    add(line, __builtin_add_overflow(x, y, &result) ? 'x' : '.');
    return (uint32_t)result;
}

static uint32_t difference(int line, int32_t x, int32_t y) {
    int32_t result;
    add(line, __builtin_sub_overflow(x, y, &result) ? 'x' : '.');
    return (uint32_t)result;
}

static uint32_t *at(int line, uint32_t index) {
    static uint32_t elsewhere;
    add(line, index < ROOM ? '.' : 'x');
    return index < ROOM ? &block[index] : &elsewhere;
}

static void execute(int a, int b) {
    steps = ended = 0;
    memset(block, 0, sizeof block);
    run((uint32_t)a, (uint32_t)b);
}

/* Prints the lines of checks that some input violates which goes the same way up to there. */
int main(int count, char **arguments) {
    static char failed[1 << 12];
    if (count != 3) {
        return 2;
    }
    execute(atoi(arguments[1]), atoi(arguments[2]));
    int all = steps;
    memcpy(reference, current, sizeof reference);
    for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            execute(a, b);
            for (int step = 0; step < steps && step < all; step++) {
                if (current[step].what == 'x') {
                    failed[current[step].line & 4095] = 1;
                }
                if (current[step].line != reference[step].line || current[step].what != reference[step].what) {
                    break;
                }
            }
        }
    }
    for (int line = 0; line < 1 << 12; line++) {
        if (failed[line]) {
            printf("%d\n", line);
        }
    }
    return 0;
}

#endif

/* What every test program needs: its input, and branches that stay where they are. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two functions, so that no optimisation can merge the arms of a branch or turn it into a select. */
__attribute__((noinline, unused)) static void observe_yes(void) { putchar('y'); }
__attribute__((noinline, unused)) static void observe_no(void) { putchar('n'); }

/* A branch on a condition. The same condition twice is one event, so conditions in a test differ. */
#define OBSERVE(condition)                                                                                            \
    do {                                                                                                              \
        if (condition)                                                                                                \
            observe_yes();                                                                                            \
        else                                                                                                          \
            observe_no();                                                                                             \
    } while (0)

/* Standard input, its first bytes. */
static unsigned char in[256];
__attribute__((unused)) static void take_input(void) {
    /* How much there was is not looked at: it would be one more branch. */
    (void)!read(0, in, sizeof in);
}

/* An integer of a type, made of the input from a byte on. */
#define TAKE(type, at)                                                                                                \
    ({                                                                                                                \
        type taken_;                                                                                                  \
        memcpy(&taken_, in + (at), sizeof taken_);                                                                    \
        taken_;                                                                                                       \
    })

#endif

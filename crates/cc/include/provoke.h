/* What a program can tell Provoke about its inputs.
 *
 * `provoke cc` and `provoke c++` find this header by themselves. In the native program every function below does
 * nothing, and the program needs no library for it; in a view, Provoke's runtime does the work. To compile with
 * another compiler as well, copy the header.
 */
#ifndef PROVOKE_H
#define PROVOKE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defined in views only. */
extern void __provoke_x_provoke_make_symbolic(void *bytes, size_t count, const char *name) __attribute__((__weak__));

/* Makes the `count` bytes at `bytes` an input of the program, named `name` in everything that Provoke prints.
 *
 * The bytes have to be initialised: their present values are the input of this run. When Provoke looks for an input that
 * takes another path it may choose any other values, so exclude those that make no sense by an ordinary `if`. A name
 * may be used more than once; the inputs are then numbered in the order of the calls.
 *
 *     int choice = 0;
 *     provoke_make_symbolic(&choice, sizeof choice, "choice");
 */
static inline __attribute__((__unused__)) void provoke_make_symbolic(void *bytes, size_t count, const char *name)
{
    if (__provoke_x_provoke_make_symbolic)
        __provoke_x_provoke_make_symbolic(bytes, count, name);
}

#ifdef __cplusplus
}
#endif

#endif

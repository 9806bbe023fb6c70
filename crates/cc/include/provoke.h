/* What a program can tell Provoke about its inputs and its variables.
 *
 * `provoke cc` and `provoke c++` find this header by themselves. In the native program everything below does
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

/* States a condition that a variable fulfils whenever it gets a value: a refinement of its type.
 *
 * It stands in front of the declaration of a local variable, a parameter (where the function is defined), a field, a
 * global, or a function; for a function it is about what is returned, which the condition calls `result`.
 *
 *     PROVOKE_REFINE("0 <= level && level < limit") int level = 0;
 *     int blocks(int length, PROVOKE_REFINE("size > 0") int size);
 *     struct date { PROVOKE_REFINE("1 <= month && month <= 12") int month; int day; };
 *     PROVOKE_REFINE("result >= 0") int distance(int from, int to);
 *
 * The condition is made of integers, names, `+ - * / %`, comparisons, `&& || !` and parentheses, with the precedences
 * of C; but its numbers are those of mathematics, so nothing overflows, and -1 is less than any unsigned number. Names
 * are those that can be seen at the declaration: variables declared before, parameters, globals, constants of
 * enumerations that the code uses; for a field, the other fields of its structure; for a result, parameters. They are
 * read at the moment of the check, and must have a value by then. Integers, truth values, enumerations and pointers can
 * be named; bit-fields cannot.
 *
 * `provoke check` looks for inputs with which the condition fails, and `provoke replay` reports where it does. It is
 * checked where the program writes to the variable by its name, not where it writes through a pointer to it.
 */
#if defined __clang__ && defined __cplusplus
#define PROVOKE_REFINE(condition) __attribute__((__annotate__("provoke.refine:" condition)))
#elif defined __clang__
/* The second attribute is for what becomes no code of its own, so that Provoke can tell. */
#define PROVOKE_REFINE(condition) \
    __attribute__((__annotate__("provoke.refine:" condition), __btf_decl_tag__("provoke.refine:" condition)))
#else
#define PROVOKE_REFINE(condition)
#endif

/* A model of a function that the program calls and that comes without bitcode: a C file with models is given to the commands
 * by --models FILE, and is part of the concolic view alone.
 *
 *     #include <provoke.h>
 *     int sensor_checksum(const unsigned char *bytes, size_t count) PROVOKE_REAL(sensor_checksum);
 *
 *     int PROVOKE_MODEL(sensor_checksum)(const unsigned char *bytes, size_t count)
 *     {
 *         int sum = 0;
 *         for (size_t i = 0; i < count; i++)
 *             sum += bytes[i];
 *         return sum;
 *     }
 *
 * The model is called in place of the function, and is followed as the program's own code is. It has to do what the function
 * does, since the program goes on with its result; where that is all it needs to do, a model may also call the function itself
 * under a name that is declared with PROVOKE_REAL. What happens in a model is reported where it was called.
 */
#define PROVOKE_MODEL(name) __provoke_x_##name
#define PROVOKE_REAL(name) __asm__("__provoke_real_" #name)

/* For `provoke mix`, which looks for null pointers without running the program.
 *
 * In front of a function, PROVOKE_SYMBOLIC has it executed symbolically, with what it calls, and PROVOKE_TYPED has qualifiers
 * inferred for it. In front of a parameter (where the function is defined), a variable, a field or a function,
 * PROVOKE_NONNULL says that it, or the function's result, is never null. Unlike `__attribute__((nonnull))` it does not
 * change the compiled program: a check for null stays where it is.
 *
 *     PROVOKE_SYMBOLIC void clear(struct address **p);
 *     PROVOKE_TYPED void release(PROVOKE_NONNULL void *p) { if (!p) abort(); free(p); }
 */
#if defined __clang__
#define PROVOKE_SYMBOLIC __attribute__((__annotate__("provoke.symbolic")))
#define PROVOKE_TYPED __attribute__((__annotate__("provoke.typed")))
#define PROVOKE_NONNULL __attribute__((__annotate__("provoke.nonnull")))
#else
#define PROVOKE_SYMBOLIC
#define PROVOKE_TYPED
#define PROVOKE_NONNULL
#endif

#ifdef __cplusplus
}
#endif

#endif

//~ --sinks all => 20 26
//~ --sinks all --auto => 20 26
//~ --sinks all --auto --symbolic main => 20 26
//~ --sinks all --outer symbolic => 20 26
//~ HARMLESS --sinks all --auto --symbolic main => none
/* Null as an integer, and among variable arguments. */
#include <provoke.h>
#include <stdarg.h>
#include <stdint.h>
#ifdef HARMLESS
#define NOTHING &x
#else
#define NOTHING 0
#endif
static int x;
PROVOKE_TYPED static int by_number(intptr_t number)
{
    union { intptr_t number; int *pointer; } both = {number};
#line 20
    return *both.pointer;
}
PROVOKE_TYPED static int of_many(int count, ...)
{
    va_list list;
    va_start(list, count);
#line 26
    int value = *va_arg(list, int *);
    va_end(list);
    return value;
}
int main(void)
{
    return by_number((intptr_t)NOTHING) + of_many(1, (int *)NOTHING);
}

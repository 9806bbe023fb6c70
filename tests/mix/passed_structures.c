//~ --sinks all --auto => none
//~ NULLS --sinks all --auto => 100
//~ NULLS --sinks all => 100
/* Structures among variable arguments: what is in them is read, not where they were. */
#include <stdarg.h>
struct large { int *p; long a, b, c; };
static int x;
static int first(int count, ...)
{
    va_list list;
    va_start(list, count);
    struct large given = va_arg(list, struct large);
    va_end(list);
#line 100
    return *given.p;
}
int main(void)
{
#ifdef NULLS
    struct large large = {0, 1, 2, 3};
#else
    struct large large = {&x, 1, 2, 3};
#endif
    return first(1, large);
}

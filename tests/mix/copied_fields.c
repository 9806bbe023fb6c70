//~ STATIC --sinks all => 36
//~ ASSIGNED --sinks all => 41
//~ CALLOC --sinks all => 47 48
//~ CALLOC --sinks all --auto => 48
//~ REALLOC --sinks all => 56 56
//~ RETURNED --sinks all => 61
//~ RETURNED --sinks all --auto => 61
//~ BY_VALUE --sinks all => 20
//~ BY_VALUE --sinks all --auto => 20
//~ BY_VALUE --sinks all --symbolic main => 20
//~ ARRAY --sinks all => 72
//~ ARRAY --sinks all --auto => 72
/* Fields that only the reader of a copy names, and structures in registers, were taken as never null. */
#include <stdlib.h>
#include <string.h>
struct pair { long number; int *pointer; };
struct two { int *first, *second; };
struct large { int *pointer; long a, b; };
static struct pair global;
static int use(struct large v) { return *v.pointer; }
static struct two make(int *x)
{
    struct two made = {x, 0};
    return made;
}

int main(void)
{
    int x = 1;
    (void)x;
    (void)global;
    (void)use;
    (void)make;
#ifdef STATIC
    struct pair copy = global;
#line 36
    return *copy.pointer;
#endif
#ifdef ASSIGNED
#line 40
    struct pair start = {0}, copy = start;
    return *copy.pointer;
#endif
#ifdef CALLOC
    struct pair *made = calloc(1, sizeof *made), copy;
    if (made == NULL)
        return 0;
#line 47
    copy = *made;
    return *copy.pointer;
#endif
#ifdef REALLOC
    struct pair *made = calloc(1, sizeof *made);
    made = realloc(made, 2 * sizeof *made);
    if (made == NULL)
        return 0;
#line 56
    return *made->pointer;
#endif
#ifdef RETURNED
    struct two got = make(&x);
#line 61
    return *got.second;
#endif
#ifdef BY_VALUE
    struct large start = {0};
    return use(start);
#endif
#ifdef ARRAY
    int *array[2] = {&x, 0};
    struct two copy;
    memcpy(&copy, array, sizeof copy);
#line 72
    return *copy.second;
#endif
    return 0;
}

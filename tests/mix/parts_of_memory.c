//~ CALLEE --sinks all --auto => 29
//~ OVERWRITTEN --sinks all --auto => 38
//~ INDEXED --sinks all --auto => 46
//~ ERASED --sinks all --auto => 54
//~ KEPT --sinks all --auto => none
/* What is written in a part of something larger changes the part and leaves the rest. */
#include <stdlib.h>
#include <string.h>
struct four { int a, b, c, d; };
struct two { int *first, *second; };
static void set(struct four *at) { at->d = 1; }

int main(int argc, char **argv)
{
    int *nothing = 0, x = 1;
    (void)argv;
    (void)x;
    (void)argc;
    (void)set;
#ifdef CALLEE
    struct four value = {0};
    set(&value);
    if (value.d)
#line 29
        return *nothing;
#endif
#ifdef OVERWRITTEN
    long *memory = calloc(1, 8);
    if (memory == NULL)
        return 0;
    *memory = 5;
    ((int *)memory)[1] = 0;
    if (*(int *)memory)
#line 38
        return *nothing;
#endif
#ifdef INDEXED
    long *memory = calloc(2, 8);
    if (memory == NULL)
        return 0;
    ((int *)memory)[argc & 3] = 1;
    if (memory[0])
#line 46
        return *nothing;
#endif
#ifdef ERASED
    struct two *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return 0;
    memset(memory, 0, 8);
#line 54
    return *memory->second;
#endif
#ifdef KEPT
    struct four value = {0};
    value.a = argc;
    value.d = 0;
    if (value.b)
        return *nothing;
#endif
    return 0;
}

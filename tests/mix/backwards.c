//~ DECLARED --sinks all => 40
//~ DECLARED --sinks all --auto => 40
//~ HEAP --sinks all --auto => 40
//~ WALK --sinks all --auto => 40
//~ DECLARED HARMLESS --sinks all => none
//~ HEAP HARMLESS --sinks all --auto => none
//~ WALK HARMLESS --sinks all --auto => none
/* Going backwards from an element of an array within a structure leads to earlier elements of it. */
#include <stdlib.h>
struct names {
    unsigned count;
    char *all[4];
};
static char text[] = "text";
#ifdef HARMLESS
#define FIRST text
#else
#define FIRST NULL
#endif
#ifndef HEAP
static struct names declared = {4, {FIRST, text, text, text}};
#endif
static char *before(char **at) { return at[-1]; }

int main(int argc, char **argv)
{
    (void)argv;
#ifdef HEAP
    struct names *names = malloc(sizeof *names);
    if (names == NULL)
        return 1;
    names->all[0] = FIRST;
    names->all[1] = names->all[2] = names->all[3] = text;
#else
    struct names *names = &declared;
#endif
    char **at = &names->all[1 + (argc & 1)];
#ifdef WALK
    at = &names->all[4];
    while (at > &names->all[1])
        at--;
#endif
    char *found = before(at);
#line 40
    return *found;
}

//~ => 27
//~ --ignore-blocks => 27
//~ HARMLESS => none
/* Section 4.1: what a block assumed to be nonnull turns out not to be, by a block that is looked at later. */
#include <provoke.h>
#include <stdlib.h>

static int first;
static int *x = &first;

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
    free(memory);
}

PROVOKE_SYMBOLIC static void a_assigns(void)
{
#ifndef HARMLESS
    x = NULL;
#endif
}

PROVOKE_SYMBOLIC static void b_releases(int *value)
{
    release(value);
}

int main(void)
{
    b_releases(x);
    a_assigns();
    return 0;
}

//~ => 33
//~ HARMLESS => none
//~ HARMLESS --ignore-blocks --auto => none
/* Section 4.4: a typed and a symbolic block that call each other. */
#include <provoke.h>
#include <stdlib.h>

static int value;

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
}

static int *ping(int *p, int n);

PROVOKE_TYPED static int *pong(int *p, int n)
{
    return ping(p, n - 1);
}

PROVOKE_SYMBOLIC static int *ping(int *p, int n)
{
    if (n <= 0) {
#ifdef HARMLESS
        return p;
#else
        return NULL;
#endif
    }
    int *q = pong(p, n);
    release(q);
    return q;
}

int main(int argc, char **argv)
{
    (void)argv;
    int *p = &value;
    ping(p, argc);
    return 0;
}

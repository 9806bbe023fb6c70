//~ => 25
//~ NOT_ALIASED => none
/* Section 4.2: at the border to a typed block, what may be the same has the same type. */
#include <provoke.h>
#include <stdlib.h>

static int one, two;
static int *x = &one;
static int *r = &two;
#ifdef NOT_ALIASED
static int **y = &r;
#else
static int **y = &x;
#endif

PROVOKE_TYPED static void assert_nonnull(PROVOKE_NONNULL int *p)
{
    if (p == NULL)
        abort();
}

PROVOKE_TYPED static void assigns(void)
{
    x = NULL;
    assert_nonnull(*y);
}

PROVOKE_SYMBOLIC static void block(void)
{
    *y = &two;
    assigns();
}

int main(void)
{
    block();
    return 0;
}

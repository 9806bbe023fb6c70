//~ --ignore-blocks => 28
//~ => none
//~ --ignore-blocks --auto => none
//~ MUTANT => 28
//~ MUTANT --ignore-blocks --auto => 28
/* Flow and path insensitivity: the null that is written after the call seems to reach the call before it. */
#include <provoke.h>
#include <stdlib.h>

struct address {
    int family;
    int port;
};

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
    free(memory);
}

PROVOKE_SYMBOLIC static void clear_address(struct address **place)
{
    if (*place != NULL) {
#ifdef MUTANT
        *place = NULL;
#endif
        release(*place);
        *place = NULL;
    }
}

static void make_address(struct address **place)
{
    clear_address(place);
    *place = malloc(sizeof **place);
    if (*place == NULL)
        abort();
    (*place)->family = 2;
}

int main(void)
{
    struct address *local = NULL;
    make_address(&local);
    make_address(&local);
    clear_address(&local);
    return 0;
}

//~ LOOKED_AT --sinks all => none
//~ LOOKED_AT --sinks all --auto => none
//~ WRITTEN --sinks all => 50
//~ WRITTEN --sinks all --auto => 50
//~ COPIED --sinks all --auto => 50
//~ READ --sinks all => 50
//~ READ --sinks all --auto => 50
/* A structure as bytes: its fields stay apart for everybody else, and what goes anywhere in it goes to each of them. */
#include <string.h>
struct pair {
    char *name;
    char *other;
    long number;
};
static char text[] = "text";
static struct pair pair = {text, text, 1};
static char *nothing;

static unsigned sum(const unsigned char *at, unsigned length)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < length; i++)
        sum += at[i];
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    unsigned char *bytes = (unsigned char *)&pair;
    char *found = text;
#ifdef LOOKED_AT
    pair.other = NULL;
    if (sum(bytes, sizeof pair) == 1)
        return 1;
    found = pair.name;
#endif
#ifdef WRITTEN
    *(char **)(bytes + 8 * (argc & 1)) = NULL;
    found = pair.name;
#endif
#ifdef COPIED
    memcpy(bytes + 8 * (argc & 1), &nothing, sizeof nothing);
    found = pair.name;
#endif
#ifdef READ
    pair.other = NULL;
    found = *(char **)(bytes + 8 * (argc & 1));
#endif
    (void)sum, (void)nothing, (void)bytes;
#line 50
    return *found;
}

//~ --ignore-blocks => 61
//~ => none
//~ --ignore-blocks --auto => none
//~ MUTANT => 50 61
//~ MUTANT --ignore-blocks --auto => 50
/* Path and context insensitivity: a result that is checked seems to flow to another caller's argument. */
#include <provoke.h>
#include <stdlib.h>

struct text {
    char *bytes;
    unsigned length;
};

static char default_name[] = "none";

struct entry {
    char name[16];
};

struct listing {
    struct entry entries[4];
    unsigned next;
};

PROVOKE_TYPED static void release(PROVOKE_NONNULL void *memory)
{
    if (memory == NULL)
        abort();
    ((char *)memory)[0] = 0;
}

PROVOKE_TYPED static const char *remember(struct text *text, const char *source)
{
    text->length = (unsigned)(source != NULL);
    return source;
}

PROVOKE_TYPED static const char *next_name(struct listing *listing)
{
    if (listing->next >= 4)
        return NULL;
    return listing->entries[listing->next++].name;
}

PROVOKE_SYMBOLIC static void next_entry(struct listing *listing, struct text *text)
{
    const char *name = next_name(listing);
#ifdef MUTANT
    release((void *)remember(text, name));
#endif
    if (name != NULL)
        remember(text, name);
}

int main(void)
{
    static struct listing listing;
    struct text text = {"", 0};
    next_entry(&listing, &text);
    release((void *)remember(&text, default_name));
    return 0;
}

//~ --sinks all --auto => none
//~ END --sinks all --auto => 100
//~ END --sinks all --symbolic main => 100
//~ LENGTH --sinks all --auto => 200
//~ LENGTH --sinks all --symbolic total => 200
//~ CHECKED --sinks all --auto => 300
//~ SIZE --sinks all --symbolic main => 400
/* What is at a distance from null is not null, though it leads nowhere. */
#include <stdlib.h>
struct pair { long key; char name[4]; char *text; };
struct span { const char *start; unsigned long length; };

#if defined END
int main(int argc, char **argv)
{
    const char *start = NULL, *end = start + argc;
    int sum = 0;
    for (const char *p = start; p != end; p++)
#line 100
        sum += *p;
    return sum;
}
#elif defined LENGTH
static int total(const struct span *span)
{
    int sum = 0;
    const char *at = span->start, *end = span->start + span->length;
    while (at != end)
#line 200
        sum += *at++;
    return sum;
}
int main(int argc, char **argv)
{
    struct span span = {NULL, (unsigned long)argc};
    return total(&span);
}
#elif defined CHECKED
static void insist(const char *p) { if (!p) abort(); }
int main(int argc, char **argv)
{
    struct pair *p = argc > 5 ? malloc(sizeof *p) : NULL;
    insist(p->name);
#line 300
    return p->text != NULL;
}
#elif defined SIZE
int main(int argc, char **argv)
{
    struct pair *p = NULL;
    char *none = NULL;
    if (p->name)
#line 400
        return *none;
    return 0;
}
#else
/* Back at null again, and no further than it. */
int main(int argc, char **argv)
{
    const char *start = NULL, *end = start + argc;
    end -= argc;
    if (start != end) return *start;
    struct span span = {"text", 4};
    int sum = 0;
    for (const char *p = span.start; p != span.start + span.length; p++) sum += *p;
    return sum;
}
#endif

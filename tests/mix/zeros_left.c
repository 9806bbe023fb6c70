//~ --sinks all --auto => none
//~ READ --sinks all --auto => 100
//~ READ --sinks all --symbolic fill => 100 100
//~ VIEW --sinks all --auto => 199 200
//~ WRITTEN --sinks all --symbolic main => none
//~ WIDE --sinks all --auto => 300
//~ WIDE --sinks all --auto --typed main --typed first => 299 300
//~ INDEXED --sinks all --auto => 400
/* Zeros that `calloc` has left: those that were only read, those that are looked at through another pointer, and those whose
   address goes away as a part of something wider. */
#include <stdlib.h>
struct item { struct item *next; char *text; };

#if defined READ
static struct item *all;
static void fill(void)
{
    struct item *p = calloc(1, sizeof *p);
    if (!p || p->text) exit(1);
    p->next = p;
    all = p;
}
int main(void)
{
    fill();
    if (!all) return 1;
#line 100
    return *all->text;
}
#elif defined VIEW
int main(int argc, char **argv)
{
    struct item *both[2];
    both[0] = calloc(1, sizeof(struct item));
    both[1] = calloc(1, sizeof(struct item));
    if (!both[0] || !both[1]) exit(1);
    struct item *one = both[argc - 1];
#line 199
    struct item *next = one->next;
    return next->text != NULL;
}
#elif defined WRITTEN
/* Nothing is left of them. */
int main(int argc, char **argv)
{
    struct item *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    if (!a || !b) return 1;
    a->text = "a";
    b->text = "b";
    a->next = b;
    b->next = a;
    struct item *one = argc > 1 ? a : b;
    return *one->next->text;
}
#elif defined WIDE
struct range { struct item *first; long count; };
static struct range first(void)
{
    struct range r;
    r.first = calloc(1, sizeof(struct item));
    if (!r.first) exit(1);
    r.count = 1;
    return r;
}
int main(void)
{
    struct range r = first();
#line 299
    char *text = r.first->text;
    return *text;
}
#elif defined INDEXED
int main(int argc, char **argv)
{
    struct item *both[2];
    both[0] = calloc(1, sizeof(struct item));
    if (!both[0]) return 1;
    both[1] = both[0];
    struct item *one = both[argc & 1];
    if (!one) return 2;
    char *text = one->text;
#line 400
    return *text;
}
#else
/* A structure that is returned in registers is what was written to it, pointers too. */
struct name { char *text; size_t length; };
static struct name fresh(void)
{
    struct name name;
    name.text = malloc(4);
    if (!name.text) exit(1);
    name.length = 4;
    return name;
}
int main(void)
{
    struct name name = fresh();
    name.text[0] = 1;
    return 0;
}
#endif

//~ --sinks all --auto => none
//~ --sinks all => 23 24 29 31 40 49 49 57 65 74 74 74 83 91 100 112 115
//~ UNGUARDED --sinks all --auto => 23
//~ LATE --sinks all --auto => 40
//~ LEFT_OUT --sinks all --auto => 49
//~ ESCAPES --sinks all --auto => 49
//~ OTHER_ELEMENT --sinks all --auto => 57
//~ UNCHECKED --sinks all --auto => 83
//~ LOST --sinks all --auto => 91
/* What the order of instructions, the conditions around them and the memory that each call allocates say. */
#include <stdlib.h>
struct item { int value; struct item *next; int *data; };
static int one = 1;
static struct item *list;
static int *current;
static int *table[4];

static int guarded(struct item *item)
{
#ifndef UNGUARDED
    if (item == NULL) return 0;
#endif
#line 23
    int sum = item->value;
    return sum + item->value;
}
static int walked(void)
{
    int sum = 0;
    for (struct item *at = list; at != NULL; at = at->next)
#line 31
        sum += at->value;
    return sum;
}
static void start(void) { current = &one; }
static int started(void)
{
#ifdef LATE
    if (one == 7) current = NULL;
#endif
#line 40
    return *current;
}
static struct item *registered;
static void *make(size_t size) { void *made = calloc(1, size); if (made == NULL) abort(); return made; }
static struct item *made_item(void)
{
    struct item *item = make(sizeof *item);
    return item;
}
#line 49
static int of_item(struct item *item) { return *item->data; }
static int indexed(unsigned i)
{
    if (table[i & 3] == NULL) return 0;
#ifdef OTHER_ELEMENT
    i++;
#endif
    i &= 3;
#line 57
    return *table[i];
}
static int *same(int *pointer) { return pointer; }
static int returned(void)
{
    int *nothing = same(NULL);
    if (nothing != NULL) return 1;
    int *something = same(&one);
#line 65
    return *something;
}
static void check(int *pointer)
{
    if (pointer == NULL) exit(1);
}
static int conjunction(struct item *item)
{
    int sum = 0;
    while (item && item->next)
#line 74
        item = item->next, sum += item->value;
    return sum;
}
static int checked(int *pointer)
{
#ifndef UNCHECKED
    check(pointer);
#endif
#line 83
    return *pointer;
}
static int found(int n)
{
    int *found = NULL;
#ifndef LOST
    if (n < 3) found = &one; else return 0;
#endif
#line 91
    return *found;
}
static int chosen(int n)
{
    int *a = n > 3 ? &one : NULL;
    int ok = a != NULL;
    if (!ok)
        return 0;
    n++;
#line 100
    return *a;
}
int main(int argc, char **argv)
{
    (void)argv;
    start();
    struct item *item = made_item();
#ifdef ESCAPES
    registered = item;
    if (argc > 5) return of_item(registered);
#endif
#ifndef LEFT_OUT
    item->data = &one;
#endif
    registered = made_item();
    registered->next = item;
    list = item;
    table[argc & 3] = &one;
    check(&one);
    return guarded(argc > 1 ? item : NULL) + walked() + started() + of_item(item) + indexed(argc) + returned()
        + conjunction(argc > 2 ? list : NULL) + checked(argc > 3 ? &one : NULL) + found(argc) + chosen(argc);
}

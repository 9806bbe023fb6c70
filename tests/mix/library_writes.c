//~ SEPARATED --sinks all --auto => 23
//~ ZEROED --sinks all --auto => 29
//~ SORTED --sinks all --auto => 36
//~ LISTED --sinks all --auto => 45
//~ DESTROYED --sinks all --auto => 16
//~ JOINED --sinks all --auto => 52
/* What functions of the library write, and what runs behind `main`. */
#define _GNU_SOURCE
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int x, *kept = &x;
#ifdef DESTROYED
#line 16
__attribute__((destructor)) static void last(void) { x = *kept; }
#endif
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *given) { return given; }

int main(int argc, char **argv)
{
#ifdef SEPARATED
    char text[] = "a", *rest = text;
    strsep(&rest, ",");
#line 23
    return *rest;
#endif
#ifdef ZEROED
    struct { long n; int *p; } value = {1, &x};
    explicit_bzero(&value, sizeof value);
#line 29
    return *value.p;
#endif
#ifdef SORTED
    int numbers[2] = {1, 0}, *nothing = 0;
    qsort(numbers, 2, sizeof *numbers, compare);
    if (numbers[0] == 0)
#line 36
        return *nothing;
#endif
#ifdef LISTED
    struct addrinfo *list, *at;
    int *nothing = 0;
    if (getaddrinfo("a", "b", NULL, &list) != 0 || list == NULL)
        return 0;
    for (at = list; at != NULL; at = at->ai_next)
        argc++;
#line 45
    return *nothing;
#endif
#ifdef DESTROYED
    kept = argc > 1 ? &x : NULL;
#endif
#ifdef JOINED
    pthread_t thread;
    void *result = &x;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
#line 52
    return *(int *)result;
#endif
    (void)argc, (void)argv, (void)kept, (void)compare, (void)work;
    return 0;
}

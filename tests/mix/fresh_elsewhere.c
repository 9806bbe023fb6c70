//~ --sinks all --auto => none
//~ TARGETS --sinks all --auto => 100
//~ THREAD --sinks all --auto => 200
//~ NUMBER --sinks all --auto => 300
//~ INSIDE --sinks all --auto => 400
//~ SOMETIMES --sinks all --auto => 500
//~ UNION --sinks all --auto => 600
//~ PART --sinks all --auto => 700
//~ ELEMENT --sinks all --auto => 800
/* Zeros in memory that was just allocated, where they go another way than by a plain call and a plain pointer. */
#include <pthread.h>
#include <stdlib.h>
struct pair { char *a, *b; };
struct outer { long n; struct pair body; };
struct either { union { char *text; int number; } is; };
static const char *const names[] = {"a", "b", "c"};

#if defined TARGETS
static struct pair *empty(void) { struct pair *p = calloc(1, sizeof *p); if (!p) exit(1); return p; }
static struct pair *full(void) { struct pair *p = calloc(1, sizeof *p); if (!p) exit(1); p->a = "x"; return p; }
int main(int argc, char **argv)
{
    struct pair *(*make)(void) = argc > 1 ? empty : full;
    struct pair *p = make();
#line 100
    return *p->a;
}
#elif defined THREAD
static void *work(void *unused) { struct pair *p = calloc(1, sizeof *p); if (!p) exit(1); return p; }
int main(void)
{
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, 0, work, 0) || pthread_join(thread, &result)) return 1;
    struct pair *p = result;
    if (!p) return 1;
#line 200
    return *p->a;
}
#elif defined NUMBER
static long make(void) { struct pair *p = calloc(1, sizeof *p); if (!p) exit(1); return (long)p; }
int main(void)
{
    struct pair *p = (struct pair *)make();
    if (!p) return 1;
#line 300
    return *p->a;
}
#elif defined INSIDE
static struct pair *make(void) { struct outer *p = calloc(1, sizeof *p); if (!p) exit(1); p->n = 1; return &p->body; }
int main(void)
{
    struct pair *p = make();
#line 400
    return *p->a;
}
#elif defined SOMETIMES
static struct pair *make(char *x) { struct pair *p = calloc(1, sizeof *p); if (!p) exit(1); if (!x) p->a = "d"; return p; }
int main(int argc, char **argv)
{
    struct pair *p = make(argc > 1 ? argv[1] : NULL);
    int *q = NULL;
#line 500
    if (p->a) return *q;
    return 0;
}
#elif defined UNION
int main(int argc, char **argv)
{
    struct either *x = calloc(1, sizeof *x);
    int *q = NULL;
    if (!x) return 1;
    if (argc > 1) x->is.text = "s"; else x->is.number = 5;
#line 600
    if (x->is.text) return *q;
    return 0;
}
#elif defined PART
static struct either *make(int c) { struct either *x = calloc(1, sizeof *x); if (!x) exit(1); x->is.number = c; return x; }
int main(int argc, char **argv)
{
    struct either *x = make(argc);
    int *q = NULL;
#line 700
    if (x->is.text) return *q;
    return 0;
}
#elif defined ELEMENT
__attribute__((no_sanitize("undefined", "pointer-overflow"))) int main(int argc, char **argv)
{
    struct pair *both[2];
    both[0] = calloc(1, sizeof(struct pair));
    both[1] = both[0];
    if (!both[0]) return 1;
    both[0]->a = "x";
    struct pair *q = both[argc > 1];
    if (!q) return 2;
    q->a = NULL;
#line 800
    return *both[0]->a;
}
#else
/* A table of pointers that are all there. */
int main(int argc, char **argv) { const char *p = names[argc > 1]; return *p; }
#endif

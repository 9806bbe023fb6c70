//~ --sinks all --auto => none
//~ ONLY --sinks all => 99 100
//~ ONLY --sinks all --auto => 100
//~ SOME --sinks all --auto => 200
//~ BACK --sinks all --auto => 300
//~ RETURNS --sinks all --auto => 400
//~ NUMBER --sinks all --auto => 500
/* Calls of code that nobody sees: what `dlsym` returns, or an address that was a number. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
static int x;
static int *later;
static void set(int **p) { *p = &x; }
static void quit(int **p) { exit(0); }

#if defined ONLY
int main(void)
{
    int *p = &x;
    void (*f)(int **) = (void (*)(int **))dlsym(NULL, "f");
    if (!f) return 1;
#line 99
    f(&p);
    return *p;
}
#elif defined SOME
int main(int argc, char **argv)
{
    int *p = &x;
    void (*f)(int **) = argc > 1 ? set : (void (*)(int **))dlsym(NULL, "f");
    if (!f) return 1;
    f(&p);
#line 200
    return *p;
}
#elif defined BACK
static void back(void)
{
#line 300
    x = *later;
}
int main(void)
{
    void (*f)(void (*)(void)) = (void (*)(void (*)(void)))dlsym(NULL, "f");
    if (!f) return 1;
    f(back);
    later = &x;
    return 0;
}
#elif defined RETURNS
int main(int argc, char **argv)
{
    int *p = NULL;
    void (*f)(int **) = argc > 1 ? quit : (void (*)(int **))dlsym(NULL, "f");
    if (!f) return 1;
    f(&p);
#line 400
    return *p;
}
#elif defined NUMBER
int main(int argc, char **argv)
{
    int *p = &x;
    void (*f)(int **) = (void (*)(int **))((uintptr_t)argc * 4096);
    if (!f) return 1;
    f(&p);
#line 500
    return *p;
}
#else
/* All that may be called is known. */
int main(int argc, char **argv)
{
    int *p = NULL;
    void (*f)(int **) = argc > 1 ? quit : set;
    f(&p);
    return *p;
}
#endif

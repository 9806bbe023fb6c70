//~ --sinks all --auto => none
//~ NAKED --sinks all => 100
//~ NAKED --sinks all --auto => 100
//~ RESULT --sinks all --auto => 200
//~ JUMP --sinks all --auto => 300
//~ NUMBER --sinks all --auto => 400
//~ SEVERAL --sinks all --auto => 500
//~ VARIABLE --sinks all --auto => 600
//~ ATOMIC --sinks all --auto => 700
/* What assembly and the compiler's own functions do: return, jump, make pointers, and name variables. */
#include <stdint.h>
#include <stdlib.h>
static int x;
int *kept = &x;

#if defined NAKED
__attribute__((naked)) static void nothing(void) { __asm__("ret"); }
int main(void)
{
    int *p = NULL;
    nothing();
#line 100
    return *p;
}
#elif defined RESULT
__attribute__((naked)) static int *make(int *given) { __asm__("xorl %eax, %eax\n\tret"); }
int main(void)
{
    int *p = make(&x);
#line 200
    return *p;
}
#elif defined JUMP
static void *place[5];
__attribute__((noinline)) static void back(void) { __builtin_longjmp(place, 1); }
int main(void)
{
    int *volatile p = &x;
    if (__builtin_setjmp(place)) {
#line 300
        return *p;
    }
    p = NULL;
    back();
}
#elif defined NUMBER
int main(void)
{
    int *p;
    __asm__("movq $0, %0" : "=r"(p));
#line 400
    return *p;
}
#elif defined SEVERAL
int main(void)
{
    int *p;
    long n;
    __asm__("movq $0, %0\n\tmovq $1, %1" : "=r"(p), "=r"(n));
#line 500
    return *p;
}
#elif defined VARIABLE
int main(void)
{
    __asm__ volatile("movq $0, kept(%%rip)" ::: "memory");
#line 600
    return *kept;
}
#elif defined ATOMIC
int main(void)
{
    __atomic_fetch_and((uintptr_t *)&kept, 0, __ATOMIC_SEQ_CST);
#line 700
    return *kept;
}
#else
/* Functions that do not return stay such. */
static void leave(void) { exit(1); }
int main(int argc, char **argv)
{
    int *p = argc > 1 ? &x : NULL;
    if (!p) leave();
    return *p;
}
#endif

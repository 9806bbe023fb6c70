//~ BARRIER --sinks all => none
//~ SWAPPED --sinks all => none
//~ CLEARED --sinks all => 40
//~ CLEARED --sinks all --auto => 40
//~ MOVED --sinks all => 40
//~ MOVED --sinks all --auto => 40
//~ FOLLOWED --sinks all --auto => 35
/* Assembly: a barrier does nothing, swapping bytes moves no pointer, and anything else may do anything. */
static int x;
static int *nothing;
static unsigned number;

int main(int argc, char **argv)
{
    (void)argv;
    int *p = &x;
#ifdef BARRIER
    asm volatile("" : : "r"(&p) : "memory");
#endif
#ifdef SWAPPED
    unsigned loaded;
    asm volatile("movl (%1),%0\n\tbswapl %0" : "=r"(loaded) : "r"(&number) : "memory");
    number = loaded;
#endif
#ifdef CLEARED
    asm volatile("movq $0,(%0)" : : "r"(&p) : "memory");
#endif
#ifdef MOVED
    asm volatile("movq (%1),%0" : "=r"(p) : "r"(&nothing) : "memory");
#endif
#ifdef FOLLOWED
    unsigned *at = argc > 1 ? &number : 0, loaded;
#line 35
    asm volatile("movl (%1),%0" : "=r"(loaded) : "r"(at));
    number = loaded;
#endif
    (void)nothing, (void)number, (void)argc;
#line 40
    return *p;
}

//~ --sinks all => 18 20 25 27 29
//~ --sinks all --auto => 20 25 27 29
//~ STRONG --sinks all => none
/* A symbol that is declared weak may be missing. */
#ifdef STRONG
void hook(int number) { (void)number; }
int limit;
#else
extern void hook(int number) __attribute__((weak));
extern int limit __attribute__((weak));
#endif

static void (*table[1])(int) = {hook};

static void guarded(void)
{
    if (hook)
        hook(1);
    if (!hook)
        hook(2);
}

static int use(int what)
{
    if (what == 1) hook(3);
    if (what == 2)
        table[0](4);
    if (what == 3)
        return limit;
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    guarded();
    return use(argc);
}

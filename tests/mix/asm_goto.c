//~ --sinks all => 12 16
//~ --sinks all --auto => 16
//~ --sinks all --outer symbolic => 16
//~ HARMLESS --sinks all --auto => none
/* Assembly that jumps: control may go either way, whatever it says. */
static int x;

int main(void)
{
    int *p = &x;
    asm goto("" : : : : elsewhere);
    return *p;
elsewhere:
#ifndef HARMLESS
    p = 0;
#line 16
    return *p;
#else
    return *p;
#endif
}

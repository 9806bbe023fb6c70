//~ OPTARG --sinks all --auto => 20 21
//~ ADDRESS --sinks all --auto => 25
//~ TARGETS --sinks all --auto => 31 31
//~ JUMP --sinks all --auto => 39
/* What code does that nobody sees: pointers out of nowhere, calls of it by pointer, and jumps back. */
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((weak)) void unknown(int **at);
static void mine(int **at) { (void)at; }
static jmp_buf buffer;
static int x, *volatile jumped;
static void fail(void) { longjmp(buffer, 1); }

int main(int argc, char **argv)
{
    int *nothing = 0, *pointer = &x;
#ifdef OPTARG
    getopt(argc, argv, "x:");
#line 20
    if (optarg[0] == 'y')
        return *nothing;
#endif
#ifdef ADDRESS
    if (*(volatile int *)0xfee00000 == 1)
#line 25
        return *nothing;
#endif
#ifdef TARGETS
    void (*call)(int **) = argc > 1 ? mine : unknown;
    call(&pointer);
#line 31
    return *pointer;
#endif
#ifdef JUMP
    jumped = &x;
    if (!setjmp(buffer)) {
        jumped = 0;
        fail();
    }
#line 39
    return *jumped;
#endif
    (void)argc, (void)argv, (void)nothing, (void)pointer, (void)mine, (void)fail;
    return 0;
}

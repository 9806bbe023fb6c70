//~ --sinks all --auto => none
//~ WRONG --sinks all --auto => 101 103 105
/* Structures that are returned in registers: a member that is shorter than its register says whether the pointer is null. */
#include <stddef.h>
struct behind { int *p; int failed; };
struct before { int failed; int *p; };
struct short_ones { int *p; short failed; char more; };
static int x;
static struct behind make_behind(int count)
{
    struct behind made = {&x, 0};
    if (count > 9) {
        made.p = NULL;
        made.failed = 1;
    }
    return made;
}
static struct before make_before(int count)
{
    struct before made = {0, &x};
    if (count > 9) {
        made.p = NULL;
        made.failed = 1;
    }
    return made;
}
static struct short_ones make_short(int count)
{
    struct short_ones made;
    made.failed = count > 9;
    made.more = 1;
    made.p = count > 9 ? NULL : &x;
    return made;
}
#ifdef WRONG
#define OK(made) ((made).failed < 2)
#else
#define OK(made) (!(made).failed)
#endif
int main(int argc, char **argv)
{
    (void)argv;
    struct behind behind = make_behind(argc);
    struct before before = make_before(argc + 1);
    struct short_ones short_ones = make_short(argc + 2);
#line 100
    if (OK(behind))
        x += *behind.p;
    if (OK(before))
        x += *before.p;
    if (OK(short_ones))
        x += *short_ones.p;
    return x;
}

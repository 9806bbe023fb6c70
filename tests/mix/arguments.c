//~ --sinks all --auto => none
//~ END --sinks all --auto => 100
//~ REPLACED --sinks all --auto => 100
/* The arguments of a program: none is null but the one behind the last, whatever the index is. */
#include <stddef.h>
#ifdef END
#define IS_ARGUMENT <=
#else
#define IS_ARGUMENT <
#endif
int main(int argc, char **argv)
{
    int sum = 0;
#ifdef REPLACED
    if (argc > 2)
        argv[2] = NULL;
#endif
    for (int i = 1; i IS_ARGUMENT argc; i++)
#line 100
        sum += argv[i][0];
    for (long i = argc - 1; i > 0; i--)
        sum += argv[i] != NULL;
    return sum;
}

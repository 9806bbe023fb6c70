//~ --sinks all => 14 100 101 102 103
//~ --sinks all --auto => 100 101 102
/* A number that is an address on one way and was computed on another: what it is on the first says nothing of the second. */
#include <stdint.h>
#include <stdlib.h>
static int x;
static intptr_t kept;
int main(int argc, char **argv)
{
    int sum = 0;
    intptr_t read = (intptr_t)&x, computed = (intptr_t)&x, large = (intptr_t)&x;
    kept = (intptr_t)&x;
    if (argc > 1)
        read = atol(argv[1]);
    switch (argc) {
    case 2:
        computed = argc - 1;
        break;
    case 3:
        computed = argc - 3;
        break;
    }
    if (argc > 5)
        kept = argc - 6;
    if (argc > 6)
        large = argc - 1;
#line 100
    sum += *(int *)read;
    sum += *(int *)computed;
    sum += *(int *)kept;
    sum += *(int *)large;
    return sum;
}

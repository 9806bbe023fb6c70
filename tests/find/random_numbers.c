// What fails depends on a random number, as in a hash table with a seed: it is the same one in each run.
// input: stdin "a"
// witness: stdin "\xf1"
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

int main(void) {
    unsigned char seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return 1;
    int c = getchar();
    if ((c ^ seed) == 0x41)
        abort(); //~ assertion
    return 0;
}

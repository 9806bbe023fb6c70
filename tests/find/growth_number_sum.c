// Two counters are added. It takes ten digits, and the right ones, for the sum not to fit.
// input: stdin "12+5\n"
// witness: stdin "2147483647+5\n"
#include "../include/records.h"

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *plus = strchr(line, '+');
    if (!plus)
        return 1;
    int a = atoi(line), b = atoi(plus + 1);
    KEEP(a + b); //~ integer-overflow //~? integer-underflow
    return 0;
}

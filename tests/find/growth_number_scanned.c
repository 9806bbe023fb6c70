// Two counters are added, read by a format. It takes ten digits, and the right ones, for the sum not to fit.
// input: stdin "12 5\n"
// witness: stdin "2147483647 5\n"
#include "../include/records.h"

int main(void) {
    char line[64];
    int a, b;
    if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d %d", &a, &b) != 2)
        return 1;
    KEEP(a + b); //~ integer-overflow //~? integer-underflow
    return 0;
}

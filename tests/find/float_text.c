// A share between nothing and everything is counted in one of four buckets; everything has none.
// input: stdin "0.25\n"
// witness: stdin "1.00\n"
#include "../include/records.h"

int main(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    double share = strtod(line, NULL);
    if (!(share >= 0 && share <= 1))
        return 1;
    int counts[4] = {0};
    counts[(int)(share * 4)]++; //~ array-index | stack-buffer-overflow
    KEEP(counts[0]);
    return 0;
}

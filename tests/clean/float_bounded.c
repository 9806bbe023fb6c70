// A share between nothing and everything, what is no number left out, is counted in one of five buckets.
// input: stdin "0.25\n"
//~ verified
#include "../include/records.h"

int main(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    double share = strtod(line, NULL);
    if (!(share >= 0 && share <= 1))
        return 1;
    int counts[5] = {0};
    counts[(int)(share * 4)]++;
    KEEP(counts[0]);
    return 0;
}

// A price of a few digits is fine; one of many, times a quantity, is not. Other digits alone never make it large enough.
// input: stdin "3 x 25\n"
// witness: stdin "3 x 999999999\n"
#include "../include/records.h"

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *rest;
    long quantity = strtol(line, &rest, 10);
    if (strncmp(rest, " x ", 3) != 0 || quantity < 1 || quantity > 9)
        return 1;
    long price = strtol(rest + 3, NULL, 10);
    if (price < 0 || price > 999999999)
        return 1;
    int total = (int)quantity * (int)price; //~ integer-overflow
    KEEP(total);
    return 0;
}

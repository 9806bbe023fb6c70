// A name is looked up and printed: optimisation makes a table of distances of the table of names.
// input: stdin "A"
//~ verified
#include "../include/records.h"

static const char *const names[7] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};

int main(void) {
    unsigned char day;
    take(&day, sizeof day);
    printf("%s\n", names[day % 7]);
    return 0;
}

// What is wrong with a name that is looked up in a table, which optimisation makes one of distances.
// input: stdin "A"
// witness: stdin "C"
#include "../include/records.h"

static const char *const names[7] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};

int main(void) {
    unsigned char day;
    take(&day, sizeof day);
    const char *name = names[day % 7];
    puts(name);
    assert(name[0] != 'M'); //~ assertion
    return 0;
}

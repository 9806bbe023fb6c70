// A line is cut at its equals sign, which is taken for granted.
// input: stdin "key=12"
// witness: stdin "key:12"
#include "../include/records.h"

int main(void) {
    char line[7];
    take(line, 6);
    line[6] = '\0';
    char *separator = strchr(line, '=');
    *separator = '\0'; //~ null-deref
    KEEP(line[0]);
    return 0;
}

// A line with percent signs is no format for puts.
// input: stdin "100%"
//~ verified
#include "../include/records.h"

int main(void) {
    char line[5];
    take(line, 4);
    line[4] = '\0';
    if (line[3] == '%')
        puts(line);
    return 0;
}

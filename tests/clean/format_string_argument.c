// What comes in goes out as an argument.
// input: stdin "hello, %n%n%"
//~ verified
#include "../include/records.h"

int main(void) {
    char line[13];
    take(line, 12);
    line[12] = '\0';
    printf("%s\n", line);
    return 0;
}

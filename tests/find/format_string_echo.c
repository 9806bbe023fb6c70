// What comes in goes out, through printf.
// input: stdin "hello, world"
// witness: stdin "hello, %n%n%"
#include "../include/records.h"

int main(void) {
    char line[13];
    take(line, 12);
    line[12] = '\0';
    printf(line); //~ format-string //~? null-deref | heap-buffer-overflow
    return 0;
}

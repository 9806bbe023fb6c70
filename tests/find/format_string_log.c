// A message is logged if it is marked as one.
// input: stdin "!disk full"
// witness: stdin "!disk%n%n%"
#include "../include/records.h"

static void report(const char *message) {
    fprintf(stderr, message); //~ format-string //~? null-deref | heap-buffer-overflow
}

int main(void) {
    char line[11];
    take(line, 10);
    line[10] = '\0';
    if (line[0] == '!')
        report(line + 1);
    return 0;
}

// A message is logged by a function that takes a format, and hands it on with a list.
// input: stdin "disk full\n"
// witness: stdin "disk%n%n%\n"
#include "../include/records.h"
#include <stdarg.h>

static void report(const char *format, ...) {
    char text[80];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments); //~ format-string //~? null-deref | heap-buffer-overflow
    va_end(arguments);
    KEEP(text[0]);
}

int main(void) {
    char line[48], message[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    snprintf(message, sizeof message, "%s: %s", "auth", line);
    report(message);
    return 0;
}

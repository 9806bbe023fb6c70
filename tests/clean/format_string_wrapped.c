// Messages are logged by a function that hands its format on with a list. Formats are constants, also the one that writes.
// input: stdin "disk full\n"
//~ verified?
#include "../include/records.h"
#include <stdarg.h>

static void report(const char *format, ...) {
    char text[80];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    KEEP(text[0]);
}

int main(void) {
    char line[48];
    int length = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    report("%s: %s", "auth", line);
    report(line[0] == 'd' ? "disk: %s%n" : "other: %s%n", line, &length);
    KEEP(length);
    return 0;
}

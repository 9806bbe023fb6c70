// A name that ends with a byte of the input, or nowhere, is written out by a function for messages, behind numbers of other kinds.
// input: stdin "\x00"
// witness: stdin "\x09"
#include "../include/records.h"
#include <stdarg.h>
#include <stdio.h>

static void message(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list); //~ stack-buffer-overflow
    va_end(list);
}

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    char name[4] = "abc";
    name[3] = byte == 9 ? 'x' : 0;
    message("%d %f %Lf %d %d %d %d %d %d: %s\n", 1, 2.0, 3.0L, 4, 5, 6, 7, 8, 9, name);
    return 0;
}

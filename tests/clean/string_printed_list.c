// Names that always end within their memory, or of which no more is written than there is, written out by a function for messages.
// input: stdin "\x03"
//~ verified
#include "../include/records.h"
#include <stdarg.h>
#include <stdio.h>

static void message(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

int main(void) {
    unsigned char byte;
    take(&byte, sizeof byte);
    char name[4] = "abc", letters[4] = {'a', 'b', 'c', 'd'};
    name[byte & 1] = (char)byte;
    letters[3] = (char)byte;
    message("%s %.4s %.*s\n", name, letters, byte & 3, letters);
    message("%.*f %s %c\n", 2, byte * 1.5, name, byte | 32);
    return 0;
}

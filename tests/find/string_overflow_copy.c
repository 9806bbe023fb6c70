// A hand-written copy stops at the end of the string, wherever that is.
// input: stdin "command\x00"
// witness: stdin "commands"
#include "../include/records.h"

static void copy(char *to, const char *from) {
    while ((*to = *from) != '\0') { //~ string-overflow | stack-buffer-overflow
        to++;
        from++;
    }
}

int main(void) {
    char line[9], verb[8];
    take(line, 8);
    line[8] = '\0';
    copy(verb, line);
    KEEP(verb[0]);
    return 0;
}

// Formats with strings of any length: how long the text is for every one of them, and that what it is has been lost.
// args: abc
// symbolic: argv[1]
// cflags: -D_GNU_SOURCE
// elsewhere: allowed
#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    char text[32];
    memset(text, 'z', sizeof text);
    OBSERVE(snprintf(text, 0, "%s", "") == 0);
    OBSERVE(text[0] == 'z');
    OBSERVE(snprintf(NULL, 0, "%s", argv[1]) == 5); //~ branch not-taken argv[1][0] //~ branch not-taken argv[1][1] //~ branch not-taken argv[1][2] //~ branch not-taken length of argv[1][0-3]
    OBSERVE(snprintf(NULL, 0, "%10s", argv[1]) == 12); //~ branch not-taken length of argv[1][0-3]
    OBSERVE(snprintf(NULL, 0, "%-12s", argv[1]) == 12); //~ branch taken length of argv[1][0-3]
    int length = snprintf(text, sizeof text, "<%s>", argv[1]); //~ bounds length of argv[1][0-3] //~ loss length //~ size length of argv[1][0-3]
    OBSERVE(length == 6); //~ branch not-taken length of argv[1][0-3]
    OBSERVE(snprintf(text, sizeof text, "<%s", argv[1]) == 7); //~ bounds length of argv[1][0-3] //~ branch not-taken length of argv[1][0-3] //~ loss length //~ size length of argv[1][0-3]
    OBSERVE(strlen(text) == 8); //~ branch not-taken length of argv[1][0-3]
    OBSERVE(snprintf(text, 3, "%s", argv[1]) == 9); //~ bounds length of argv[1][0-3] //~ branch not-taken length of argv[1][0-3] //~ branch taken length of argv[1][0-3] //~ loss length //~ size length of argv[1][0-3]
    OBSERVE(strlen(text) == 2);
    char *made = NULL;
    OBSERVE(asprintf(&made, "%s!", argv[1]) == 10); //~ bounds length of argv[1][0-3] //~ branch not-taken length of argv[1][0-3] //~ loss length //~ loss size //~ size length of argv[1][0-3]
    OBSERVE(made[1] == 'b'); //~ branch taken argv[1][1]
    free(made);
    return 0;
}

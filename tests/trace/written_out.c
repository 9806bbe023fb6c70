// How much is written out is checked against the memory that it comes from; what an earlier call was given is nothing to it.
// input: stdin "\x05\x06\x07\x08"
#include <error.h>
#include <stdarg.h>

#include "observe.h"

__attribute__((noinline)) static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stdout, format, list); //~ loss unmodelled-call
    va_end(list);
}

/* What comes back is the sign bit of a number: seen in file. */
__attribute__((noinline)) static int fails(const char *text) {
    return printf("%s%c", text, '\n') < 0; //~ no event
}

int main(void) {
    take_input();
    char text[16] = "0123456789abcde";
    /* Its third argument has a label. */
    OBSERVE(memchr(text, in[0], in[1]) == NULL); //~ branch not-taken stdin[0] //~ pin size 0x6 stdin[1] //~ size stdin[1]
    OBSERVE(fwrite(text, 1, in[2], stdout) == 7); //~ bounds stdin[2] //~ branch taken stdin[2] //~ size stdin[2]
    OBSERVE(write(1, text, in[3]) == 8); //~ bounds stdin[3] //~ branch taken stdin[3] //~ size stdin[3]
    /* Whether that worked says nothing about what was written; how much there was does. */
    OBSERVE(putchar(in[0]) == EOF); //~ no event
    OBSERVE(printf("%d\n", in[1]) < 0); //~ no event
    text[1] = (char)in[2];
    OBSERVE(fprintf(stdout, "%s\n", text) < 0); //~ no event
    OBSERVE(puts(text) >= 0); //~ no event
    OBSERVE(fails(text)); //~ no event
    OBSERVE(printf("%d\n", in[2]) == 2); //~ pin unmodelled-call stdin[2]
    /* How long something was, which is given back in another way. */
    OBSERVE(puts(text) == 16); //~ loss unmodelled-call
    int length = 0;
    printf("%d%%n %s%n\n", 7, text, &length); //~ loss unmodelled-call
    const char *volatile format = "%s %d\n";
    printf(format, text, in[1]); //~ no event
    say(format, text, in[2]); //~ no event
    format = "%s%n\n";
    printf(format, text, &length); //~ loss unmodelled-call
    say(format, text, &length); //~ no event
    OBSERVE(length == 15); //~ no event
    /* Whether the program goes on. */
    error(in[3] - 8, 0, "%s", text); //~ pin unmodelled-call 0x0 stdin[3]
    return 0;
}

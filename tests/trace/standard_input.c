// Standard input as a stream.
// input: stdin "ab\ncd"
#include "observe.h"

int main(void) {
    OBSERVE(getchar() == 'a'); //~ branch taken stdin[0]
    OBSERVE(getc(stdin) == 'b'); //~ branch taken stdin[1]
    OBSERVE(getchar_unlocked() == '\n'); //~ branch taken stdin[2]
    char rest[8] = {0};
    size_t got = fread(rest, 1, sizeof rest, stdin);
    OBSERVE(rest[1] == 'd'); //~ branch taken stdin[4]
    printf("%zu", got);
    OBSERVE(getchar() == EOF); //~ no event
    return 0;
}

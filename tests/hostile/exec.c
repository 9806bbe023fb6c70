// Replaces itself by another program, which is not traced.
// input: stdin "abc"
// state: replaced
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", "echo replaced; test -z \"$PROVOKE_TRACE\"", (char *)NULL);
    return 1;
}

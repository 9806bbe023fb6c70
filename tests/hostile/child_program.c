// Starts other programs and waits for them.
// input: stdin "abc"
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    int code = system("echo child; exit 0");
    OBSERVE(code == 0); //~ no event
    OBSERVE(in[1] == 'b'); //~ branch taken stdin[1]
    return 0;
}

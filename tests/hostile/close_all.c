// Closes every descriptor, the trace's too if it has one.
// input: stdin "abc"
// status: exit 5
#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    OBSERVE(in[1] == 'b'); //~ branch taken stdin[1]
    return 5;
}

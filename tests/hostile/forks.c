// A hundred children: they go on without tracing, which is said; the parent's trace is not theirs.
// input: stdin "abc"
#include <sys/wait.h>

#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    for (int i = 0; i < 100; i++) {
        if (fork() == 0) { //~ loss unmodelled-call
            if (in[2] == 'c') //~ no event
                _exit(3);
            _exit(4);
        }
    }
    int sum = 0, status;
    while (wait(&status) > 0)
        sum += WEXITSTATUS(status);
    printf("%d\n", sum);
    OBSERVE(in[1] == 'b'); //~ branch taken stdin[1]
    return 0;
}

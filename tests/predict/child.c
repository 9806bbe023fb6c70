// What a child does nobody follows: nothing is verified of a test that starts one.
// test open: "\x05\x01"
// test verified: "\x05\x02"
#include <sys/wait.h>
#include <unistd.h>

static int table[10];
static volatile int sink;

int main(void) {
    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        return 2;
    }
    if (in[1] == 1) {
        pid_t child = fork();
        if (child == 0) {
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    sink = table[in[0] & 7];
    return 0;
}

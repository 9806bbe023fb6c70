// Starts other programs and waits for them: what they do with the input, which they may read as well, nobody knows.
// input: stdin "abc"
#include <spawn.h>
#include <sys/wait.h>

#include "observe.h"

int main(void) {
    take_input();
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    fflush(stdout);
    int code = system("echo child; exit 0"); //~ loss unmodelled-call
    OBSERVE(code == 0); //~ no event
    OBSERVE(in[1] == 'b'); //~ branch taken stdin[1]
    FILE *other = popen("echo 7", "r"); //~ loss unmodelled-call
    OBSERVE(fgetc(other) == '7'); //~ loss input-lost
    OBSERVE(pclose(other) == 0); //~ no event
    pid_t child;
    char *const command[] = {"true", NULL};
    OBSERVE(posix_spawnp(&child, "true", NULL, NULL, command, NULL) == 0); //~ loss unmodelled-call
    OBSERVE(waitpid(child, NULL, 0) == child); //~ no event
    OBSERVE(in[2] == 'c'); //~ branch taken stdin[2]
    return 0;
}

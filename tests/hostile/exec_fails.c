// Tries to replace itself by programs that do not exist, in every way, and goes on.
// input: stdin "abc"
#include <fcntl.h>

#define _GNU_SOURCE 1
#include "observe.h"

extern int execvpe(const char *, char *const[], char *const[]);
extern int fexecve(int, char *const[], char *const[]);

int main(void) {
    take_input();
    char *arguments[] = {"nothing", NULL}, *environment[] = {NULL};
    execl("/nonexistent", "nothing", NULL);
    execlp("/nonexistent", "nothing", NULL);
    execle("/nonexistent", "nothing", NULL, environment);
    execv("/nonexistent", arguments);
    execvp("/nonexistent", arguments);
    execvpe("/nonexistent", arguments, environment);
    execve("/nonexistent", arguments, environment);
    fexecve(-1, arguments, environment);
    OBSERVE(in[0] == 'a'); //~ branch taken stdin[0]
    return 0;
}

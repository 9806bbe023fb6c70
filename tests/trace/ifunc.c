// Functions that are chosen while the program is loaded, and what helps to choose, run before there are labels.
// input: stdin "\x01\x02\x03\x04"
#include "observe.h"

static int settings[4] = {0, 0, 0, 7};
static const char *volatile name = "second";

__attribute__((noinline)) static int setting(int at) { return settings[at]; } //~ bounds stdin[2] //~ read stdin[2]
__attribute__((noinline)) static int choice(int at) { return setting(at) + (int)strlen(name) - 6; }

static int first(int value) { return value + 1; }
static int second(int value) { return value + 2; }
static int (*resolve(void))(int) { return choice(1) ? second : first; }
int chosen(int value) __attribute__((ifunc("resolve")));

int main(void) {
    take_input();
    OBSERVE(chosen(in[0]) == 2); //~ branch taken stdin[0]
    settings[0] = in[1];
    OBSERVE(setting(0) == 2); //~ branch taken stdin[1]
    OBSERVE(setting(in[2]) == 7); //~ branch taken stdin[1-2]
    OBSERVE((int)strlen(name) + in[3] == 10); //~ branch taken stdin[3]
    return 0;
}

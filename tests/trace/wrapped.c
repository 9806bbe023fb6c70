// The linker's --wrap holds in the view too, and labels pass through what wraps.
// input: stdin "\x01\x02\x03\x04"
// cflags: -Wl,--wrap=getpid -Wl,--wrap,malloc
#include "observe.h"

pid_t __real_getpid(void);
pid_t __wrap_getpid(void) { return (__real_getpid() > 0) + in[0]; }

static int allocated;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
    allocated += (int)size;
    return __real_malloc(size);
}

int main(void) {
    take_input();
    OBSERVE(getpid() == 2); //~ branch taken stdin[0]
    unsigned char *volatile block = malloc(5);
    OBSERVE(allocated == 5); //~ no event
    block[3] = in[1];
    OBSERVE(block[3] == 2); //~ branch taken stdin[1]
    OBSERVE(block[in[2]] == 9); //~ bounds stdin[2] //~ branch not-taken stdin[1-2] //~ read stdin[2]
    return 0;
}

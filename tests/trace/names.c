// Names that other code knows: labels whose address is kept, functions that assembly calls, segment registers.
// input: stdin "AB"
#include "observe.h"

struct thread { void *resume; };

/* A function that goes on where it left off. */
__attribute__((noinline)) static int step(struct thread *thread, int value) {
    if (thread->resume)
        goto *thread->resume;
    thread->resume = &&second;
    return value + 1;
second:
    thread->resume = NULL;
    return value + 2;
}

__attribute__((used)) static int helper(int value) { return value + 3; }
int through_assembly(int value);
__asm__(".text\nthrough_assembly: jmp helper");

static long thread_pointer(void) {
    long pointer;
    __builtin_memcpy(&pointer, &(long){0}, sizeof pointer);
    return *(long __seg_fs *)pointer != 0;
}

int main(void) {
    take_input();
    struct thread thread = {NULL};
    OBSERVE(step(&thread, in[0]) == 'B'); //~ branch taken stdin[0]
    OBSERVE(step(&thread, in[1]) == 'D'); //~ branch taken stdin[1]
    OBSERVE(through_assembly(1) == 4); //~ no event
    OBSERVE(thread_pointer()); //~ no event
    return 0;
}

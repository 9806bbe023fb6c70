// Functions that read standard input by themselves, and system calls.
// input: stdin "abcdefgh"
// unseen: 8
#include <sys/syscall.h>
#include <wchar.h>

#include "observe.h"

int main(void) {
    OBSERVE(syscall(SYS_getpid) == getpid()); //~ no event
    char byte = 0;
    syscall(SYS_read, 0, &byte, 1); //~ loss input-lost
    OBSERVE(byte == 'a'); //~ no event
    OBSERVE(getwchar() == L'b'); //~ loss input-lost
    return 0;
}

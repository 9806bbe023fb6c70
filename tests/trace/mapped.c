// The input file mapped into memory, whole and from an offset; another file mapped over it has no labels.
// input: file "0123456789abcdef" * 300
// args: @@
#include <fcntl.h>
#include <sys/mman.h>

#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    int fd = open(argv[1], O_RDONLY);
    unsigned char *whole = mmap(NULL, 4800, PROT_READ, MAP_PRIVATE, fd, 0);
    OBSERVE(whole[10] == 'a'); //~ branch taken file[10]
    OBSERVE(whole[4799] == 'f'); //~ branch taken file[4799]
    unsigned char *tail = mmap(NULL, 704, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 4096);
    OBSERVE(tail[1] == '1'); //~ branch taken file[4097]
    tail[1] = 0;
    OBSERVE(tail[1] == 0); //~ no event
    unsigned char *fresh = mmap(whole, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    OBSERVE(fresh[10] == 0); //~ no event
    munmap(tail, 704);
    return 0;
}

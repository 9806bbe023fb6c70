// Descriptors that become other files: what a stream gives then comes from there, once its buffer is empty.
// input: file "0123456789"
// args: @@
#define _GNU_SOURCE
#include <fcntl.h>

#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    OBSERVE(getchar() == EOF); //~ no event
    clearerr(stdin);
    int fd = open(argv[1], O_RDONLY);
    lseek(fd, 3, SEEK_SET);
    dup2(fd, 0);
    OBSERVE(getchar() == '3'); //~ branch taken file[3]
    // The rest of the file is in the buffer, and stays what it is.
    int nothing = open("/dev/null", O_RDONLY);
    dup3(nothing, 0, O_CLOEXEC);
    OBSERVE(getchar() == '4'); //~ branch taken file[4]
    for (int i = 5; i < 10; i++)
        getchar();
    OBSERVE(getchar() == EOF); //~ no event
    clearerr(stdin);
    close(0);
    fd = open(argv[1], O_RDONLY);
    if (fd != 0)
        abort();
    OBSERVE(getchar() == '0'); //~ branch taken file[0]
    int copy = fcntl(fd, F_DUPFD, 20);
    lseek(copy, 1, SEEK_SET);
    char byte;
    (void)!read(copy, &byte, 1);
    OBSERVE(byte == '1'); //~ branch taken file[1]
    FILE *file = fopen(argv[1], "rb");
    OBSERVE(getc(file) < '5'); //~ branch file[0]
    // Of what comes now nobody knows which file it is from.
    fd = open(argv[1], O_RDONLY);
    dup2(fd, fileno(file));
    char bytes[12];
    OBSERVE(fread(bytes, 1, 12, file) == 12); //~ loss input-lost
    OBSERVE(bytes[0] == '1'); //~ no event
    return 0;
}

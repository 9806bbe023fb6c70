// What is read at a place that is counted from the end of a file depends on where the file ends: that is said, or pinned.
// input: file "0123456789abcdef"
// args: @@
// symbolic: lengths
// elsewhere: allowed
#include <fcntl.h>

#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    char byte;
    int fd = open(argv[1], O_RDONLY);
    OBSERVE(lseek(fd, 0, SEEK_END) == 16); //~ branch taken length of input[0-3]
    OBSERVE(lseek(fd, -20, SEEK_END) == -1); //~ branch not-taken length of input[0-3]
    lseek(fd, 3, SEEK_SET);
    if (read(fd, &byte, 1) == 1) //~ branch taken length of input[0-3]
        OBSERVE(byte == '3'); //~ branch taken file[3]
    FILE *file = fdopen(dup(fd), "rb");
    fseek(file, -2, SEEK_END); //~ branch taken length of input[0-3]
    OBSERVE(ftell(file) == 9); //~ branch not-taken length of input[0-3]
    rewind(file);
    OBSERVE(getc(file) == '0'); //~ branch not-taken length of input[0-3] //~ branch taken file[0]
    fseek(file, -3, SEEK_END); //~ branch taken length of input[0-3]
    OBSERVE(getc(file) == 'd'); //~ branch not-taken length of input[0-3] //~ branch taken file[13] //~ pin length 0x10 length of input[0-3]
    return 0;
}

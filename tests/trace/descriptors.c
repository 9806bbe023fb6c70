// A file by its descriptor: open, read in pieces, pread, lseek, dup.
// input: file "0123456789abcdef"
// args: @@
#include <fcntl.h>
#include <sys/uio.h>

#include "observe.h"

int main(int argc, char **argv) {
    (void)argc;
    int fd = open(argv[1], O_RDONLY);
    unsigned char bytes[4], more[4];
    (void)!read(fd, bytes, 2);
    OBSERVE(bytes[1] == '1'); //~ branch taken file[1]
    (void)!read(fd, bytes, 2);
    OBSERVE(bytes[1] == '3'); //~ branch taken file[3]
    (void)!pread(fd, more, 4, 10);
    OBSERVE(more[2] == 'c'); //~ branch taken file[12]
    lseek(fd, 8, SEEK_SET);
    (void)!read(fd, bytes, 1);
    OBSERVE(bytes[0] == '8'); //~ branch taken file[8]
    int other = dup(fd);
    (void)!read(other, bytes, 1);
    OBSERVE(bytes[0] == '9'); //~ branch taken file[9]
    lseek(fd, -1, SEEK_END);
    (void)!read(fd, bytes, 1);
    OBSERVE(bytes[0] == 'f'); //~ branch taken file[15]
    close(fd);
    int zero = open("/dev/zero", O_RDONLY);
    (void)!read(zero, bytes, 4);
    OBSERVE(bytes[0] == 0); //~ no event
    int directory = openat(AT_FDCWD, argv[1], O_RDONLY);
    (void)!read(directory, more, 1);
    OBSERVE(more[0] == '0'); //~ branch taken file[0]
    struct iovec places[2] = {{bytes, 2}, {more, 3}};
    (void)!readv(directory, places, 2);
    OBSERVE(bytes[0] < '9'); //~ branch file[1]
    OBSERVE(more[2] == '5'); //~ branch taken file[5]
    (void)!preadv(directory, places, 2, 10);
    OBSERVE(more[0] == 'c'); //~ no event
    OBSERVE(more[1] == 'd'); //~ branch taken file[13]
    // Whoever asks a pipe once more than there is something in it waits forever.
    int ends[2];
    (void)!pipe(ends);
    (void)!write(ends[1], "ab", 2);
    OBSERVE(readv(ends[0], places, 2) == 2); //~ loss input-lost
    OBSERVE(bytes[1] == 'b'); //~ no event
    OBSERVE(more[1] == 'd'); //~ no event
    return 0;
}
